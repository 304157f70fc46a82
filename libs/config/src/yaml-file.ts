import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLError,
} from 'yaml';
import { type ConfigProblem } from './config-problem.ts';
import { expandEnvironment } from './expand-environment.ts';
import { type Environment } from './read-environment.ts';

/** Where a value stands in a file: map keys and list indexes from the top. */
export type YamlPath = readonly PropertyKey[];

/** A file of the configuration folder that is well-formed YAML, with the way back from a value to its line and column. */
export type YamlFile = {
  /** Path below the configuration folder. */
  readonly name: string;
  /** Plain JSON values, environment variables expanded. An empty file is an empty map. */
  readonly value: unknown;
  /** A problem at a value, or at its key when `at` says so; a path that is not there falls back to its nearest parent. */
  problem(
    path: YamlPath,
    message: string,
    of?: { readonly severity?: 'error' | 'warning'; readonly at?: 'key' | 'value' },
  ): ConfigProblem;
};

/** Larger files are refused: a configuration is written by people. */
const maxBytes = 1_048_576;

/**
 * Reads the bytes of one YAML 1.2 file.
 *
 * @returns `file: null` when the text cannot be used at all; then `problems` says why. Otherwise the file, possibly with problems of
 *   its environment variables.
 */
export function parseYamlFile(of: { readonly name: string; readonly bytes: Uint8Array; readonly env: Environment }): {
  readonly file: YamlFile | null;
  readonly problems: readonly ConfigProblem[];
} {
  const text = decode(of.name, of.bytes);
  if (typeof text !== 'string') return { file: null, problems: [text] };
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true });
  if (document.errors.length > 0) {
    return { file: null, problems: document.errors.map((error) => syntaxProblem(of.name, { error, text, lines })) };
  }
  const at = (path: YamlPath, spot: 'key' | 'value'): Position => positionOf({ document, lines, path, spot });
  const problem: YamlFile['problem'] = (path, message, { severity = 'error', at: spot = 'value' } = {}) => ({
    file: of.name,
    ...at(path, spot),
    message,
    severity,
  });
  const problems = expandEnvironment(document, of.env).map(({ offset, message }): ConfigProblem => {
    return { file: of.name, ...toPosition(lines, offset), message, severity: 'error' };
  });
  return withValue({ document, problems, file: { name: of.name, problem } });
}

type Position = { readonly line: number; readonly column: number };

function decode(name: string, bytes: Uint8Array): string | ConfigProblem {
  const problem = (line: number, message: string): ConfigProblem => ({
    file: name,
    line,
    column: 1,
    message,
    severity: 'error',
  });
  if (bytes.byteLength > maxBytes)
    return problem(1, `The file is larger than ${maxBytes} bytes. Split it, or move data out of it.`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return problem(
      firstUndecodableLine(bytes),
      'The file is not UTF-8 text from this line on. Save it with the encoding UTF-8.',
    );
  }
}

function firstUndecodableLine(bytes: Uint8Array): number {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const found = bytes.indexOf(0x0a, start);
    const end = found === -1 ? bytes.length : found;
    try {
      decoder.decode(bytes.subarray(start, end));
    } catch {
      return line;
    }
    start = end + 1;
  }
  return 1;
}

function syntaxProblem(
  file: string,
  { error, text, lines }: { readonly error: YAMLError; readonly text: string; readonly lines: LineCounter },
): ConfigProblem {
  return { file, ...toPosition(lines, error.pos[0]), message: describeSyntaxError(error, text), severity: 'error' };
}

function describeSyntaxError(error: YAMLError, text: string): string {
  if (error.code === 'DUPLICATE_KEY') {
    const key = /^[^:\n]*/.exec(text.slice(error.pos[0]))?.[0].trim() ?? '';
    return `The key ${JSON.stringify(key)} stands here a second time. Keep one of the two.`;
  }
  const known = syntaxAdvice.get(error.code);
  if (known !== undefined) return known;
  return `The file is not valid YAML here: ${error.message.split('\n')[0]?.replace(/[.:]?$/, '.')} Correct the line.`;
}

const syntaxAdvice: ReadonlyMap<string, string> = new Map([
  ['TAB_AS_INDENT', 'A tab is used for indentation, which YAML does not allow. Replace it by spaces.'],
  [
    'MULTIPLE_DOCS',
    'The file holds more than one YAML document. Remove the line `---` and what follows it, or merge the two.',
  ],
]);

function withValue(of: {
  readonly document: Document;
  readonly problems: readonly ConfigProblem[];
  readonly file: Omit<YamlFile, 'value'>;
}): { readonly file: YamlFile | null; readonly problems: readonly ConfigProblem[] } {
  try {
    const value: unknown = of.document.toJS({ maxAliasCount: 100 });
    return { file: { ...of.file, value: value ?? {} }, problems: of.problems };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      file: null,
      problems: [
        ...of.problems,
        of.file.problem([], `The file cannot be used: ${reason}. Write the repeated part out.`),
      ],
    };
  }
}

function positionOf(of: {
  readonly document: Document;
  readonly lines: LineCounter;
  readonly path: YamlPath;
  readonly spot: 'key' | 'value';
}): Position {
  let node: unknown = of.document.contents;
  let found = offsetOf(node) ?? 0;
  for (const step of of.path) {
    const next = stepInto(of.document, { node, step });
    if (next === null) break;
    found =
      (of.spot === 'key' || isCollection(next.value) ? next.keyOffset : undefined) ??
      offsetOf(next.value) ??
      next.keyOffset ??
      found;
    node = next.value;
  }
  return toPosition(of.lines, found);
}

function stepInto(
  document: Document,
  { node, step }: { readonly node: unknown; readonly step: PropertyKey },
): { readonly keyOffset: number | undefined; readonly value: unknown } | null {
  const target = isAlias(node) ? node.resolve(document) : node;
  if (isMap(target)) {
    const pair = target.items.find(({ key }) => (isScalar(key) ? String(key.value) : String(key)) === String(step));
    return pair === undefined ? null : { keyOffset: offsetOf(pair.key), value: pair.value };
  }
  if (isSeq(target) && typeof step === 'number' && step < target.items.length) {
    return { keyOffset: offsetOf(target.items[step]), value: target.items[step] };
  }
  return null;
}

function isCollection(node: unknown): boolean {
  return isMap(node) || isSeq(node);
}

function offsetOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

function isNode(value: unknown): value is Node {
  return isScalar(value) || isAlias(value) || isCollection(value);
}

function toPosition(lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}
