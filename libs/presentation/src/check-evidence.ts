import { type AggregateOutcome, failure, type ResultItem, type Result, success } from '@latch/contracts';
import { type Reply } from '@latch/transaction';
import { type Claim, claimOf } from './claim-words.ts';
import { numbersIn, numbersOf } from './numbers-in-text.ts';
import { mostEntries } from './render-data.ts';

/** What an answer may claim. `facts` is any JSON value: the slots, the tool's data, the arguments that were sent. */
export type Evidence = {
  /** The verdict over the whole; null where no tool has ended. */
  readonly outcome: AggregateOutcome | null;
  readonly items: readonly Pick<ResultItem, 'id' | 'label' | 'outcome' | 'protocol'>[];
  readonly facts: unknown;
};

/** The evidence that a reply's slots hold. */
export function evidenceOf(reply: Reply): Evidence {
  const outcomes = reply.slots.filter((slot) => slot.kind === 'outcome');
  return { outcome: outcomes.at(-1)?.outcome ?? null, items: outcomes.flatMap((slot) => slot.items), facts: reply };
}

/**
 * Checks that a text claims nothing that the evidence does not hold (DESIGN section 7, invariant I22): each item is named with its own outcome, each protocol of the
 * evidence is given and no other code is, each amount and number is in the evidence, and the whole is not called better or worse than it is.
 *
 * @returns `ok: false` with every problem, in words for the log; the caller then sends the deterministic text.
 */
export function checkEvidence(text: string, evidence: Evidence): Result<void, readonly string[]> {
  const said = fold(text);
  const known = factsOf(evidence);
  const problems = [
    ...itemProblems(said, evidence),
    ...protocolProblems(said, evidence),
    ...codeProblems(text, known),
    ...numberProblems(text, evidence, known),
    ...verdictProblems(said, evidence),
  ];
  return problems.length === 0 ? success(undefined) : failure(problems);
}

/** Lower case without accents; apostrophes and blanks made one kind. Line breaks stay, they end a clause. */
function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[’‘]/g, "'")
    .replace(/[^\S\n]+/g, ' ')
    .toLowerCase();
}

type Facts = { readonly text: string; readonly numbers: ReadonlySet<string> };

function factsOf(evidence: Evidence): Facts {
  const strings: string[] = [];
  const numbers = new Set<string>();
  for (const part of [evidence.facts, evidence.items]) collect(part, { strings, numbers }, 0);
  return { text: fold(strings.join('\n')), numbers };
}

const deepest = 12;

function collect(
  value: unknown,
  into: { readonly strings: string[]; readonly numbers: Set<string> },
  depth: number,
): void {
  if (depth > deepest) return;
  if (typeof value === 'number') into.numbers.add(String(value));
  if (typeof value === 'string') {
    into.strings.push(value);
    for (const number of numbersOf(value)) into.numbers.add(number);
  }
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) addLengths(value.length, into.numbers);
  for (const [key, member] of Object.entries(value)) {
    if (!Array.isArray(value)) for (const number of numbersOf(key)) into.numbers.add(number);
    collect(member, into, depth + 1);
  }
}

/** How many entries there are, and how many of them an answer leaves out, are facts too. */
function addLengths(length: number, numbers: Set<string>): void {
  numbers.add(String(length));
  if (length > mostEntries) numbers.add(String(length - mostEntries));
}

function itemProblems(said: string, evidence: Evidence): readonly string[] {
  const labels = evidence.items.map((item) => fold(item.label).replaceAll('\n', ' ').trim());
  return evidence.items.flatMap((item, index) => {
    const label = labels[index] ?? '';
    const clauses = clausesNaming(said, label, labels);
    if (label === '' || clauses.length === 0) return [`item "${item.label}" is not named`];
    const claims = clauses.map((clause) => claimOf(clause));
    const expected: Claim = item.outcome;
    const isWrong = claims.some((claim) => claim !== null && claim !== expected) && !sharesLabel(labels, label);
    if (isWrong) return [`item "${item.label}" is not said to be ${item.outcome}`];
    return claims.includes(expected) ? [] : [`the outcome of item "${item.label}" is not said`];
  });
}

function sharesLabel(labels: readonly string[], label: string): boolean {
  return labels.indexOf(label) !== labels.lastIndexOf(label);
}

/** The clauses that name an item, without the names of all items; an entry of a list under a heading speaks with its heading. */
function clausesNaming(said: string, label: string, labels: readonly string[]): readonly string[] {
  let heading = '';
  return clausesOf(withoutLonger(said, label, labels)).flatMap((clause) => {
    const isEntry = /^\s*(-|\*|•|\d+[.)])/.test(clause);
    if (!isEntry) heading = clause.trimEnd().endsWith(':') ? clause : '';
    if (!contains(clause, label)) return [];
    const rest = labels.reduce((text, each) => text.replaceAll(each, ' '), clause);
    return [claimOf(rest) === null ? `${heading} ${rest}` : rest];
  });
}

/** "TIM" is not named by "TIM Fashion": longer labels are taken out before a shorter one is looked for. */
function withoutLonger(said: string, label: string, labels: readonly string[]): string {
  const longer = labels.filter((each) => each.length > label.length && each.includes(label));
  return longer.reduce((text, each) => text.replaceAll(each, ' '), said);
}

function clausesOf(said: string): readonly string[] {
  return said.split(
    /\n|(?<!(?:^|\n)\s{0,8}\d{1,3})[.!?;](?=\s|$)|,? (?:mas|porem|pero|sin embargo|but|however|while|whereas|enquanto|mientras) /,
  );
}

function contains(text: string, label: string): boolean {
  for (let at = text.indexOf(label); at >= 0; at = text.indexOf(label, at + 1)) {
    if (!isWordCharacter(text.charAt(at - 1)) && !isWordCharacter(text.charAt(at + label.length))) return true;
  }
  return false;
}

function isWordCharacter(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character);
}

function protocolProblems(said: string, evidence: Evidence): readonly string[] {
  return evidence.items.flatMap(({ label, protocol }) => {
    if (protocol === null || protocol === undefined || protocol.trim() === '') return [];
    return said.includes(fold(protocol).trim()) ? [] : [`the protocol of item "${label}" is not given`];
  });
}

/** Runs that mix letters and digits, or are joined by hyphens, are identifiers; each must be in the evidence. */
function codeProblems(text: string, known: Facts): readonly string[] {
  const codes = text.match(/[\p{L}\p{N}]+(?:[-_/][\p{L}\p{N}]+)*/gu) ?? [];
  return [...new Set(codes)]
    .filter((code) => code.length >= 4 && /\p{L}/u.test(code) && /\p{N}/u.test(code))
    .filter((code) => !known.text.includes(fold(code)))
    .map((code) => `"${code}" is not in the evidence`);
}

function numberProblems(text: string, evidence: Evidence, known: Facts): readonly string[] {
  const counts = countsOf(evidence);
  return numbersIn(text)
    .filter(({ readings }) => !readings.some((reading) => known.numbers.has(reading) || counts.has(reading)))
    .map(({ text: number }) => `"${number}" is not in the evidence`);
}

/** How many items there are, and how many of each outcome: numbers that an answer may state. */
function countsOf({ items }: Evidence): ReadonlySet<string> {
  if (items.length === 0) return new Set();
  const of = (outcome: Claim): number => items.filter((item) => item.outcome === outcome).length;
  return new Set([items.length, of('succeeded'), of('failed'), of('unknown')].map(String));
}

/** Without items, the text as a whole must not claim another verdict than the evidence's. */
function verdictProblems(said: string, evidence: Evidence): readonly string[] {
  if (evidence.items.length > 0 || evidence.outcome === null) return [];
  const claims = new Set(clausesOf(said).map((clause) => claimOf(clause)));
  if (evidence.outcome === 'UNKNOWN' && !claims.has('unknown') && !claims.has('failed'))
    return ['the result is not said to be unknown'];
  if (evidence.outcome === 'FAILED' && !claims.has('failed') && !claims.has('unknown'))
    return ['the failure is not said'];
  const isBetter = evidence.outcome === 'FAILED' || evidence.outcome === 'UNKNOWN';
  return isBetter && claims.has('succeeded') ? ['a success is claimed that the evidence does not hold'] : [];
}
