import { isRecord } from '@latch/contracts';
import { isSlowPattern } from '@latch/config';

/** What a schema of a server may be at most: enough for every real tool, and compiled in a moment. */
export const schemaLimits = { depth: 48, nodes: 2_000, characters: 131_072 } as const;

/** Keywords whose values are data, not schemas. */
const dataKeywords: readonly string[] = ['const', 'enum', 'default', 'example', 'examples'];

type Visit = { readonly node: unknown; readonly depth: number; readonly isData: boolean };

/**
 * Why a schema is not compiled: too large, too deep, a reference that leads out of it, a pattern that may take time that doubles with each character.
 * Null when nothing speaks against it.
 */
export function boundsProblem(schema: Readonly<Record<string, unknown>>): string | null {
  const open: Visit[] = [{ node: schema, depth: 1, isData: false }];
  let nodes = 0;
  let characters = 0;
  for (let visit = open.pop(); visit !== undefined; visit = open.pop()) {
    nodes += 1;
    characters += sizeOf(visit.node);
    const problem = sizeProblem({ nodes, characters, depth: visit.depth }) ?? keywordProblem(visit);
    if (problem !== null) return problem;
    open.push(...childrenOf(visit));
  }
  return null;
}

function sizeProblem(size: {
  readonly nodes: number;
  readonly characters: number;
  readonly depth: number;
}): string | null {
  if (size.depth > schemaLimits.depth) return `The schema nests deeper than ${schemaLimits.depth} levels.`;
  if (size.nodes > schemaLimits.nodes) return `The schema has more than ${schemaLimits.nodes} parts.`;
  if (size.characters > schemaLimits.characters)
    return `The schema is larger than ${schemaLimits.characters} characters.`;
  return null;
}

function sizeOf(node: unknown): number {
  if (typeof node === 'string') return node.length;
  return isRecord(node) ? Object.keys(node).reduce((sum, key) => sum + key.length, 0) : 1;
}

function keywordProblem({ node, isData }: Visit): string | null {
  if (isData || !isRecord(node)) return null;
  return referenceProblem(node) ?? patternProblem(node);
}

function referenceProblem(node: Readonly<Record<string, unknown>>): string | null {
  for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
    const target = node[keyword];
    if (typeof target === 'string' && !target.startsWith('#'))
      return `The reference "${target.slice(0, 200)}" leads out of the schema; only references that begin with # are followed.`;
  }
  return null;
}

function patternProblem(node: Readonly<Record<string, unknown>>): string | null {
  const { pattern, patternProperties } = node;
  const keys = isRecord(patternProperties) ? Object.keys(patternProperties) : [];
  const patterns = [...(typeof pattern === 'string' ? [pattern] : []), ...keys];
  const slow = patterns.find((text) => text.length > 1_000 || isSlowPattern(text));
  return slow === undefined ? null : `The pattern "${slow.slice(0, 200)}" can take endless time to match.`;
}

function childrenOf({ node, depth, isData }: Visit): readonly Visit[] {
  if (Array.isArray(node)) return node.map((child: unknown) => ({ node: child, depth: depth + 1, isData }));
  if (!isRecord(node)) return [];
  return Object.entries(node).map(([key, child]) => ({
    node: child,
    depth: depth + 1,
    isData: isData || dataKeywords.includes(key),
  }));
}
