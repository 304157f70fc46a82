import { type ToolConfig } from '@latch/contracts';
import { type AgentsFile } from './agents-file.ts';
import { type ConfigProblem } from './config-problem.ts';
import { suggestName } from './nearest-name.ts';
import { type IntentEntry } from './routing-file.ts';
import { startedTool } from './resolve-agents.ts';
import { type YamlFile, type YamlPath } from './yaml-file.ts';

/** Checks that every default agent and every intent and tool that an agent names exists. */
export function checkAgents(
  { file, value }: { readonly file: YamlFile; readonly value: AgentsFile },
  known: { readonly intentsOf: (agentId: string) => ReadonlySet<string>; readonly tools: ReadonlySet<string> | null },
): ConfigProblem[] {
  const ids = value.agents.map(({ agentId }) => agentId);
  const unknownDefault =
    value.defaultAgentId !== null && !ids.includes(value.defaultAgentId)
      ? [
          unknownName({
            file,
            path: ['default_agent_id'],
            kind: 'agent',
            name: value.defaultAgentId,
            known: ids,
            where: 'agents',
          }),
        ]
      : [];
  const unknownNames = value.agents.flatMap((agent) => {
    const intents = known.intentsOf(agent.agentId);
    return [
      ...checkNames({
        file,
        path: [...agent.path, 'intents'],
        kind: 'intent',
        names: agent.intents ?? [],
        known: intents,
        where: 'routing.yaml',
      }),
      ...checkNames({
        file,
        path: [...agent.path, 'tools'],
        kind: 'tool',
        names: agent.tools,
        known: known.tools,
        where: 'tools.yaml',
      }),
    ];
  });
  return [...unknownDefault, ...unknownNames];
}

/** Checks that every intent leads to a tool or a reply, can be recognized, and names only parameters of its tool in its examples. */
export function checkRouting(
  { file, value }: { readonly file: YamlFile; readonly value: readonly IntentEntry[] },
  tools: ReadonlyMap<string, ToolConfig> | null,
): ConfigProblem[] {
  return value.flatMap((intent) => [
    ...checkPurpose(file, intent),
    ...checkIntentTools(file, { intent, tools }),
    ...checkPlaceholders(file, { intent, tools }),
  ]);
}

function checkPurpose(file: YamlFile, intent: IntentEntry): ConfigProblem[] {
  const says = (message: string, severity: 'error' | 'warning'): ConfigProblem =>
    file.problem(intent.path, `The intent "${intent.intent}" ${message}`, { severity, at: 'key' });
  const isIdle = intent.tools.length === 0 && intent.reply === undefined;
  const isSilent = intent.keywords.length === 0 && intent.examples.length === 0;
  return [
    ...(isIdle
      ? [says('has no tool and no reply, so that nothing would happen. Add `tool:` or `reply:`.', 'error')]
      : []),
    ...(isSilent
      ? [says('has no keywords and no examples, so that only a button can name it. Add some.', 'warning')]
      : []),
  ];
}

type IntentTools = { readonly intent: IntentEntry; readonly tools: ReadonlyMap<string, ToolConfig> | null };

function checkIntentTools(file: YamlFile, { intent, tools }: IntentTools): ConfigProblem[] {
  if (tools === null) return [];
  const known = new Set(tools.keys());
  const unknown = intent.tools
    .filter((name) => !known.has(name))
    .map((name) => {
      const key = placeOf(file, { base: intent.path, keys: ['tool', 'mcp_tools', 'tools'], name });
      return unknownName({ file, path: key, kind: 'tool', name, known, where: 'tools.yaml' });
    });
  if (unknown.length > 0 || intent.tools.length < 2 || hasKey(file, [...intent.path, 'tool'])) return unknown;
  const started = startedTool(intent, tools);
  const message = `The intent "${intent.intent}" lists several tools and starts "${started}". Write \`tool: ${started}\` to say so, or name another.`;
  return [file.problem([...intent.path, 'mcp_tools'], message, { severity: 'warning', at: 'key' })];
}

function checkPlaceholders(file: YamlFile, { intent, tools }: IntentTools): ConfigProblem[] {
  const tool = tools?.get(startedTool(intent, tools) ?? '');
  if (tools === null || (tool === undefined && intent.tools.length > 0)) return [];
  const known = Object.keys(tool?.parameters ?? {});
  return intent.examples.flatMap((example, index) =>
    [...example.matchAll(/\{([^}]*)\}/g)].flatMap(([, name = '']) => {
      if (known.includes(name)) return [];
      const message = `{${name}} is no parameter of ${tool === undefined ? 'a tool' : `"${tool.name}"`}.${suggestName(name, known)} Name one of its args_schema, or take the braces away.`;
      return [file.problem([...intent.path, 'examples', index], message)];
    }),
  );
}

/** Where a name stands: in `tool: x`, or in one of the list keys. */
function placeOf(
  file: YamlFile,
  of: { readonly base: YamlPath; readonly keys: readonly string[]; readonly name: string },
): YamlPath {
  for (const key of of.keys) {
    const path = [...of.base, key];
    const value = valueAt(file, path);
    if (value === of.name) return path;
    if (Array.isArray(value) && value.includes(of.name)) return [...path, value.indexOf(of.name)];
  }
  return of.base;
}

function hasKey(file: YamlFile, path: YamlPath): boolean {
  return valueAt(file, path) !== undefined;
}

function valueAt(file: YamlFile, path: YamlPath): unknown {
  return path.reduce<unknown>((node, step) => {
    return typeof node === 'object' && node !== null ? Reflect.get(node, step) : undefined;
  }, file.value);
}

/** Reports each name of a list that is not known; `known: null` means that the file with the names could not be read. */
export function checkNames(of: {
  readonly file: YamlFile;
  readonly path: YamlPath;
  readonly kind: string;
  readonly names: readonly string[];
  readonly known: ReadonlySet<string> | null;
  readonly where: string;
}): ConfigProblem[] {
  const { known } = of;
  if (known === null) return [];
  return of.names.flatMap((name, index) =>
    known.has(name) ? [] : [unknownName({ ...of, path: [...of.path, index], name, known })],
  );
}

/** The sentence for a name that leads nowhere. */
export function unknownName(of: {
  readonly file: YamlFile;
  readonly path: YamlPath;
  readonly kind: string;
  readonly name: string;
  readonly known: Iterable<string>;
  readonly where: string;
}): ConfigProblem {
  const message = `No ${of.kind} "${of.name}" is declared in ${of.where}.${suggestName(of.name, of.known)} Declare it there, or correct the name.`;
  return of.file.problem(of.path, message);
}
