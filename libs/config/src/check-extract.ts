import { type ToolConfig } from '@latch/contracts';
import { type ConfigProblem } from './config-problem.ts';
import { type ExtractEntry } from './extract-schema.ts';
import { businessKeys } from './identity-file.ts';
import { suggestName } from './nearest-name.ts';
import { type YamlFile, type YamlPath } from './yaml-file.ts';

/** The rules of one tool, and where they stand. */
export type ExtractPlace = {
  readonly file: YamlFile;
  readonly path: YamlPath;
  readonly entries: Readonly<Record<string, ExtractEntry>>;
  readonly tool: ToolConfig;
};

/** Checks where each rule takes its value from: a declared argument that is not read out of another one itself, or a key of the business context. */
export function checkExtract(place: ExtractPlace): ConfigProblem[] {
  return Object.entries(place.entries).flatMap(([argument, rule]) => {
    const path = [...place.path, 'extract', argument];
    if (rule === 'llm') return [withoutModel(place.file, path)];
    const [source, ...steps] = rule.from?.split('.') ?? [];
    if (source === 'business_context') return checkBusinessSource(place.file, { path, key: steps[0] ?? '' });
    return source === 'arguments' ? checkSource(place, { path, argument, source: steps[0] ?? '' }) : [];
  });
}

function withoutModel(file: YamlFile, path: YamlPath): ConfigProblem {
  const message =
    'The strategy llm has no effect in Latch: every declared argument is read from what the user says, without a model. Remove it when nothing else reads this file.';
  return file.problem(path, message, { severity: 'warning', at: 'key' });
}

function checkBusinessSource(
  file: YamlFile,
  { path, key }: { readonly path: YamlPath; readonly key: string },
): ConfigProblem[] {
  if (key === 'metadata' || businessKeys.some((known) => known === key)) return [];
  const message = `"${key}" is not a key of the business context and never has a value unless a channel adds it.${suggestName(key, businessKeys)} Known: ${businessKeys.join(', ')}.`;
  return [file.problem([...path, 'from'], message, { severity: 'warning' })];
}

function checkSource(
  { file, entries, tool }: ExtractPlace,
  { path, argument, source }: { readonly path: YamlPath; readonly argument: string; readonly source: string },
): ConfigProblem[] {
  const at = [...path, 'from'];
  const declared = Object.keys(tool.parameters);
  if (!declared.includes(source)) {
    const message = `"${source}" is not in the args_schema of ${tool.name}.${suggestName(source, declared)} Declare it, or correct the name.`;
    return [file.problem(at, message)];
  }
  const other = Object.hasOwn(entries, source) ? entries[source] : undefined;
  const isDerived = other !== undefined && other !== 'llm' && other.from !== null;
  if (source !== argument && !isDerived) return [];
  const message =
    source === argument
      ? `"${argument}" is read out of itself. Leave \`from\` out: the rule then reads what is given for it.`
      : `"${source}" is read out of something else itself. Read "${argument}" out of the same.`;
  return [file.problem(at, message)];
}
