import { type ParameterConfig } from '@latch/contracts';
import { nameStemsOf } from './extract-text.ts';
import { type ValueMatch } from './find-values.ts';
import { shapeOf } from './parameter-shape.ts';
import { type Scope } from './scope.ts';

/** Whether two parameters take the same values, so that only words or order can tell which of them is meant. */
export function isAlike(a: ParameterConfig, b: ParameterConfig): boolean {
  return (
    a.name !== b.name &&
    shapeOf(a) === shapeOf(b) &&
    a.pattern === b.pattern &&
    (a.enum === b.enum || JSON.stringify(a.enum) === JSON.stringify(b.enum))
  );
}

/**
 * Of the values in an utterance those that may be meant for this parameter, when others that take the same values are pending too: the ones that are named for it
 * ("o destino é 456"); with nothing named and exactly one value for each ("123 e 456"), the one at its place in the order of the questions. "123 ou 456" is left
 * as it is: two candidates, of which nobody chooses.
 *
 * @param matches from left to right.
 * @param rivals the other pending parameters alike, in the order in which they are asked for.
 */
export function ownMatches(
  scope: Scope,
  matches: readonly ValueMatch[],
  of: { readonly parameter: ParameterConfig; readonly rivals: readonly ParameterConfig[] },
): readonly ValueMatch[] {
  if (of.rivals.length === 0 || matches.length === 0) return matches;
  const owners = ownersOf(scope, matches, namesOf(scope, [of.parameter, ...of.rivals]));
  if (owners.some((owner) => owner !== null)) {
    const mine = matches.filter((_, index) => owners[index] === of.parameter.name);
    return mine.length > 0 ? mine : matches.filter((_, index) => owners[index] === null);
  }
  return isOneForEach(scope, matches, of.rivals.length + 1) ? matches.slice(0, 1) : matches;
}

function isOneForEach(scope: Scope, matches: readonly ValueMatch[], count: number): boolean {
  const { alternatives } = scope.language.lexicon;
  const isChoice = scope.tokens.some((token) => alternatives.includes(token.text));
  const values = new Set(matches.map(({ value }) => String(value)));
  return matches.length === count && values.size === count && !isChoice && !scope.text.tail.includes('?');
}

/** Parameter -> the stems that only it is called by. */
type Names = ReadonlyMap<string, ReadonlySet<string>>;

function namesOf(scope: Scope, parameters: readonly ParameterConfig[]): Names {
  const all = parameters.map((parameter) => ({ name: parameter.name, stems: nameStemsOf(parameter, scope.language) }));
  return new Map(
    all.map(({ name, stems }) => {
      const others = all.filter((other) => other.name !== name);
      return [name, new Set([...stems].filter((stem) => !others.some((other) => other.stems.has(stem))))];
    }),
  );
}

/** Names stand before their values ("origem 123, destino 456"), or all behind them ("123 é a origem"). */
function ownersOf(scope: Scope, matches: readonly ValueMatch[], names: Names): readonly (string | null)[] {
  const gaps = [0, ...matches.map(({ to }) => to)].map((from, index) =>
    namedIn(scope, { from, to: matches[index]?.from ?? scope.tokens.length }, names),
  );
  const areBefore = gaps[0] !== null || gaps.at(-1) === null;
  return matches.map((_, index) => gaps[index + (areBefore ? 0 : 1)] ?? null);
}

function namedIn(scope: Scope, run: { readonly from: number; readonly to: number }, names: Names): string | null {
  const tokens = scope.tokens.slice(run.from, run.to);
  for (const [name, own] of names) if (tokens.some(({ stem }) => own.has(stem))) return name;
  return null;
}
