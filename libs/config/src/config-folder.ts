import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type ConfigProblem } from './config-problem.ts';
import { suggestName } from './nearest-name.ts';
import { type Environment } from './read-environment.ts';
import { parseYamlFile, type YamlFile } from './yaml-file.ts';

/** A file that is there: its content, or the fact that it cannot be used (its problems are told elsewhere). */
export type FolderFile = YamlFile | 'unusable';

/** The configuration folder as text: shared files by name, and the files of `agents/<agent_id>/` by agent. */
export type ConfigFolder = {
  readonly shared: ReadonlyMap<string, FolderFile>;
  readonly agents: ReadonlyMap<string, ReadonlyMap<string, FolderFile>>;
  readonly problems: readonly ConfigProblem[];
};

/** What each file that must be there has to hold. */
const required = {
  'agents.yaml': 'the agents, under the key `agents`',
  'routing.yaml': 'the intents, under the key `intents`',
  'tools.yaml': 'the tools, under the key `tools`',
  'mcp_servers.yaml': 'the MCP servers, under the key `servers`',
};

/** Files that an agent may have of its own in `agents/<agent_id>/`. */
const ofAgents = [
  ...['routing.yaml', 'tools.yaml', 'tool_policies.yaml', 'mcp_parameter_mapping.yaml', 'identity.yaml'],
  'workflows.yaml',
];

/** Files of the whole installation that an agent has none of. */
const onlyShared = ['privacy.yaml'];

/** Files of which so far only the YAML is checked: the parts that read them come with them. */
const onlySyntax = ['guardrails.yaml', 'judges.yaml', 'llm_profiles.yaml', 'prompt_policy.yaml'];

/** Reads every file of the folder; a file that is missing, misnamed, unreadable or no YAML is a problem, not an exception. */
export async function readConfigFolder(dir: string, env: Environment): Promise<ConfigFolder> {
  const names = await listFolder(dir);
  if (names === null) return { shared: new Map(), agents: new Map(), problems: [missingFolder(dir)] };
  const known = [...new Set([...Object.keys(required), ...ofAgents, ...onlyShared, ...onlySyntax])];
  const shared = await readFiles({ dir, prefix: '', names, known, env });
  const agents = await readAgentFolders(dir, { env, isThere: names.includes('agents') });
  const missing = Object.entries(required)
    .filter(([name]) => !names.includes(name))
    .map(([name, content]) => missingFile(name, content));
  const unknownAgents = checkAgentFolders([...agents.keys()], shared.files.get('agents.yaml'));
  return {
    shared: shared.files,
    agents: new Map([...agents].map(([id, { files }]) => [id, files])),
    problems: [
      ...missing,
      ...shared.problems,
      ...[...agents.values()].flatMap(({ problems }) => problems),
      ...unknownAgents,
    ],
  };
}

type ReadFiles = { readonly files: ReadonlyMap<string, FolderFile>; readonly problems: readonly ConfigProblem[] };

async function readFiles(of: {
  readonly dir: string;
  readonly prefix: string;
  readonly names: readonly string[];
  readonly known: readonly string[];
  readonly env: Environment;
}): Promise<ReadFiles> {
  const strangers = of.names.filter((name) => /\.ya?ml$/.test(name) && !of.known.includes(name));
  const files = new Map<string, FolderFile>();
  const problems = strangers.map((name) => strangerFile(of.prefix + name, of.known));
  for (const name of of.known.filter((candidate) => of.names.includes(candidate))) {
    const read = await readYaml({ dir: of.dir, name: of.prefix + name, env: of.env });
    files.set(name, read.file ?? 'unusable');
    problems.push(...read.problems);
  }
  return { files, problems };
}

async function readYaml(of: { readonly dir: string; readonly name: string; readonly env: Environment }): Promise<{
  readonly file: YamlFile | null;
  readonly problems: readonly ConfigProblem[];
}> {
  try {
    const bytes = await readFile(path.join(of.dir, of.name));
    return parseYamlFile({ name: of.name, bytes, env: of.env });
  } catch (error) {
    const reason = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);
    const message = `The file cannot be read (${reason}). Check that it is a file and that the service may read it.`;
    return { file: null, problems: [wholeFile(of.name, { message, severity: 'error' })] };
  }
}

async function readAgentFolders(
  dir: string,
  { env, isThere }: { readonly env: Environment; readonly isThere: boolean },
): Promise<ReadonlyMap<string, ReadFiles>> {
  const folders = isThere ? ((await listFolder(path.join(dir, 'agents'))) ?? []) : [];
  const read = new Map<string, ReadFiles>();
  for (const agentId of folders) {
    const names = await listFolder(path.join(dir, 'agents', agentId));
    const known = [...ofAgents, ...onlySyntax];
    if (names !== null) read.set(agentId, await readFiles({ dir, prefix: `agents/${agentId}/`, names, known, env }));
  }
  return read;
}

/** Entries of a folder in a stable order; null when it is not there or no folder. */
async function listFolder(dir: string): Promise<string[] | null> {
  try {
    return (await readdir(dir)).sort();
  } catch {
    return null;
  }
}

function checkAgentFolders(ids: readonly string[], agents: FolderFile | undefined): ConfigProblem[] {
  if (agents === undefined || agents === 'unusable') return [];
  const known = agentIdsIn(agents.value);
  return ids
    .filter((id) => !known.includes(id))
    .map((id) => {
      const message = `agents.yaml has no agent "${id}", so that this folder has no effect.${suggestName(id, known)} Rename or remove it.`;
      return wholeFile(`agents/${id}`, { message, severity: 'warning' });
    });
}

function agentIdsIn(value: unknown): string[] {
  const agents: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'agents') : null;
  if (typeof agents !== 'object' || agents === null) return [];
  if (!Array.isArray(agents)) return Object.keys(agents);
  return agents.flatMap((agent: unknown) =>
    typeof agent === 'object' && agent !== null ? ['agent_id', 'id'].map((key) => String(Reflect.get(agent, key))) : [],
  );
}

function missingFolder(dir: string): ConfigProblem {
  const message = `The configuration folder ${dir} is not there. Set LATCH_CONFIG_DIR to a folder with ${Object.keys(required).join(', ')}.`;
  return wholeFile('.', { message, severity: 'error' });
}

function missingFile(name: string, content: string): ConfigProblem {
  return wholeFile(name, { message: `The file is missing. Create it with ${content}.`, severity: 'error' });
}

function strangerFile(name: string, known: readonly string[]): ConfigProblem {
  const base = path.posix.basename(name);
  const renamed = base.replace(/\.yml$/, '.yaml');
  const advice = renamed !== base && known.includes(renamed) ? ` Rename it to ${renamed}.` : suggestName(base, known);
  const message = `No part of Latch reads a file of this name.${advice || ` Files here: ${known.join(', ')}.`}`;
  return wholeFile(name, { message, severity: 'warning' });
}

function wholeFile(file: string, of: Pick<ConfigProblem, 'message' | 'severity'>): ConfigProblem {
  return { file, line: 1, column: 1, ...of };
}
