import { type Token } from './fold-text.ts';
import { type Language } from './language.ts';
import { joinTables, phraseAt, type PhraseTable } from './phrases.ts';
import { type Scope } from './scope.ts';

/** The open question's own words: an answer may repeat them. */
export type Topic = {
  /** Stems of the operation, its items and its values. */
  readonly stems: ReadonlySet<string>;
  /** "cancela" tells neither yes nor no: the operation is itself a cancellation, or nothing is open. */
  readonly isCancellation: boolean;
  /** Number of items; "os três" may stand for all of three. */
  readonly itemCount: number;
};

/** What a stretch of an answer is. */
export type PartKind = 'yes' | 'no' | 'doubt' | 'filler' | 'neutral' | 'topic' | 'contrast' | 'question' | 'other';

/** A stretch of an answer, as token positions `[from, to)`. */
export type Part = { readonly kind: PartKind; readonly from: number; readonly to: number };

/** Cuts an utterance into the phrases of the closed grammar; what belongs to none of them is `other`. */
export function answerParts(scope: Scope, topic: Topic): readonly Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < scope.tokens.length; at = parts.at(-1)?.to ?? scope.tokens.length) {
    parts.push(partAt(scope, topic, at));
  }
  return parts;
}

function partAt(scope: Scope, topic: Topic, at: number): Part {
  const found =
    cancelAt(scope, topic, at) ?? negatedAt(scope, at) ?? sentenceQuestionAt(scope, at) ?? longestAt(scope, at);
  const isOpen = found === null || found.kind === 'filler' || found.kind === 'neutral' || found.kind === 'question';
  const isShort = found === null || found.to === at + 1;
  if (isOpen && isShort && isTopical(scope, topic, at)) return { kind: 'topic', from: at, to: at + 1 };
  return found ?? { kind: 'other', from: at, to: at + 1 };
}

/** Of equally long phrases the more cautious kind counts. */
const byCaution = ['doubt', 'no', 'contrast', 'yes', 'filler', 'neutral', 'question'] as const;

const joined = new WeakMap<Language, PhraseTable<(typeof byCaution)[number]>>();

function tableOf(language: Language): PhraseTable<(typeof byCaution)[number]> {
  const known = joined.get(language);
  if (known !== undefined) return known;
  const table = joinTables(byCaution.map((kind) => [kind, language[kind]] as const));
  joined.set(language, table);
  return table;
}

function longestAt(scope: Scope, at: number): Part | null {
  const match = phraseAt(tableOf(scope.language), scope.tokens, at);
  return match === null ? null : { kind: match.value, from: at, to: match.to };
}

/** A sentence of its own that asks something ("When will it start?"), although its first word could also limit what was said. */
function sentenceQuestionAt(scope: Scope, at: number): Part | null {
  const isSentence = at > 0 && /[.!?\n]/.test(scope.tokens[at]?.mark ?? '') && scope.text.tail.includes('?');
  const match = isSentence ? phraseAt(scope.language.question, scope.tokens, at) : null;
  return match === null ? null : { kind: 'question', from: at, to: match.to };
}

function isTopical(scope: Scope, topic: Topic, at: number): boolean {
  const token = scope.tokens[at];
  if (token === undefined) return false;
  return topic.stems.has(token.stem) || (topic.itemCount > 1 && countOf(scope, token) === topic.itemCount);
}

function countOf(scope: Scope, token: Token): number | null {
  if (token.kind === 'number') return Number(token.text);
  const { numbers } = scope.language.lexicon;
  return Object.hasOwn(numbers, token.text) ? (numbers[token.text] ?? null) : null;
}

const permissions = new Set(['pode', 'puede', 'puedes']);

/** "cancela" refuses an operation that is no cancellation; of a cancellation it says nothing, except as a permission: "pode cancelar". */
function cancelAt(scope: Scope, topic: Topic, at: number): Part | null {
  const { language, tokens } = scope;
  const match = phraseAt(language.cancelOrders, tokens, at) ?? phraseAt(language.cancelVerbs, tokens, at);
  if (match === null) return null;
  if (!topic.isCancellation) return { kind: 'no', from: at, to: match.to };
  return permissions.has(tokens[at]?.text ?? '') ? null : { kind: 'topic', from: at, to: match.to };
}

const copulas = new Set(['esta', 'e', 'ta', 'es', 'is', 'estou', 'estoy', 'be', 'lo', 'o']);

/** "não confirmo", "that's not right": the agreement behind a negation is a refusal, unless a longer set phrase says otherwise. */
function negatedAt(scope: Scope, at: number): Part | null {
  const { language, tokens } = scope;
  const start = negationEnd(scope, at);
  if (start === null) return null;
  const next = skipCopulas(tokens, start);
  const agreement = tokens[next]?.mark === '' ? phraseAt(language.yes, tokens, next) : null;
  const fixed = phraseAt(language.doubt, tokens, at) ?? phraseAt(language.no, tokens, at);
  return agreement !== null && agreement.to > (fixed?.to ?? at) ? { kind: 'no', from: at, to: agreement.to } : null;
}

function skipCopulas(tokens: readonly Token[], from: number): number {
  let at = from;
  while (at - from < 2 && tokens[at]?.mark === '' && copulas.has(tokens[at]?.text ?? '')) at += 1;
  return at;
}

/** The position after a negation at token `at`; "don't" is two tokens. English "no" does not negate what follows it. */
function negationEnd(scope: Scope, at: number): number | null {
  const { language, tokens } = scope;
  const word = tokens[at]?.text ?? '';
  const next = tokens[at + 1];
  if (next?.text === 't' && next.mark === "'" && language.negations.has(`${word} t`)) return at + 2;
  const isNegation = language.negations.has(word) && !(word === 'no' && language.lexicon.isMonthFirst);
  return isNegation ? at + 1 : null;
}
