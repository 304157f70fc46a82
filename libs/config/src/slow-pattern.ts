/**
 * Whether a regular expression may take time that doubles with each character of an answer: something repeatable inside a repetition (`(a+)*`), or a choice inside
 * a repetition of which two branches can begin alike (`(a|ab)*`). A repetition whose rounds are told apart by a character that cannot stand inside them
 * (`(-[0-9]+)*`) is quick.
 *
 * @param pattern a valid regular expression.
 */
export function isSlowPattern(pattern: string): boolean {
  return parse(pattern).some((branch) => branch.some(isSlow));
}

/** One atom (a character, a class, an escape) or group, and how often it may come. */
type Node = {
  readonly atom: string | null;
  readonly branches: readonly Branch[];
  readonly min: number;
  readonly max: number;
};
type Branch = readonly Node[];

/** A few rounds of anything are quick. */
const fewRounds = 3;

function isSlow(node: Node): boolean {
  if (node.branches.some((branch) => branch.some(isSlow))) return true;
  if (node.atom !== null || node.max <= fewRounds) return false;
  return node.branches.some((branch) => branch.some(varies) && !isDelimited(branch)) || beginAlike(node.branches);
}

function varies(node: Node): boolean {
  const isLong = node.max > fewRounds && node.min !== node.max;
  return isLong || node.branches.some((branch) => branch.some(varies));
}

/** The first or last atom comes exactly once per round, and nothing else in the round can be that character. */
function isDelimited(branch: Branch): boolean {
  return [branch[0], branch.at(-1)].some((edge) => {
    if (edge === undefined || edge.atom === null || edge.min !== 1 || edge.max !== 1) return false;
    const others = branch.filter((node) => node !== edge).flatMap(atomsIn);
    return others.every((other) => !overlap([edge.atom ?? ''], [other]));
  });
}

function beginAlike(branches: readonly Branch[]): boolean {
  return branches.some((branch, index) =>
    branches.slice(index + 1).some((other) => overlap(firstAtoms(branch), firstAtoms(other))),
  );
}

function firstAtoms(branch: Branch): readonly string[] {
  const mandatory = branch.findIndex(({ min }) => min > 0);
  return branch.slice(0, mandatory < 0 ? branch.length : mandatory + 1).flatMap(atomsIn);
}

function atomsIn(node: Node): readonly string[] {
  return node.atom === null ? node.branches.flatMap((branch) => branch.flatMap(atomsIn)) : [node.atom];
}

/** Letters, digits and signs of ASCII, and a letter and a blank beyond it for classes such as `\p{L}` and `\s`. */
const samples = [...Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)), 'ç', '\n'];

function overlap(first: readonly string[], second: readonly string[]): boolean {
  return samples.some(
    (sample) => first.some((atom) => matches(atom, sample)) && second.some((atom) => matches(atom, sample)),
  );
}

function matches(atom: string, sample: string): boolean {
  try {
    return new RegExp(`^(?:${atom})$`, 'u').test(sample);
  } catch {
    // A reference to a group: it may be anything.
    return true;
  }
}

const token =
  /\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\k<[^>]*>|\\.|\[(?:\\.|[^\]\\])*\]|\(\?(?:<?[=!]|:|<[^>]*>)|[^]/gu;
const quantifier = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/;

function parse(pattern: string): readonly Branch[] {
  const reader = { rest: pattern };
  return readBranches(reader);
}

type Reader = { rest: string };

/** Reads up to the end of the group. */
function readBranches(reader: Reader): readonly Branch[] {
  const branches: Node[][] = [[]];
  while (reader.rest !== '') {
    const next = take(reader);
    if (next === ')') break;
    if (next === '|') branches.push([]);
    else if (next !== '^' && next !== '$') branches.at(-1)?.push(readNode(reader, next));
  }
  return branches;
}

function readNode(reader: Reader, next: string): Node {
  const content = next.startsWith('(') ? { atom: null, branches: readBranches(reader) } : { atom: next, branches: [] };
  const found = quantifier.exec(reader.rest)?.[0] ?? '';
  reader.rest = reader.rest.slice(found.length);
  return { ...content, ...roundsOf(found) };
}

function take(reader: Reader): string {
  token.lastIndex = 0;
  const next = token.exec(reader.rest)?.[0] ?? '';
  reader.rest = reader.rest.slice(next.length);
  return next;
}

function roundsOf(text: string): { readonly min: number; readonly max: number } {
  if (text === '') return { min: 1, max: 1 };
  if (text.startsWith('*')) return { min: 0, max: Infinity };
  if (text.startsWith('+')) return { min: 1, max: Infinity };
  if (text.startsWith('?')) return { min: 0, max: 1 };
  const [min = '0', max] = text.replace(/[{}?]/g, '').split(',');
  return { min: Number(min), max: max === undefined ? Number(min) : max === '' ? Infinity : Number(max) };
}
