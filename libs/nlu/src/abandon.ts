import { type Language } from './language.ts';
import { isBoundary, phraseAt } from './phrases.ts';
import { type Scope } from './scope.ts';
import { type Topic } from './answer-parts.ts';

/** A farewell to the open operation. `rest` is the token from which something else is said; the number of tokens when nothing is. */
export type Abandonment = { readonly from: number; readonly to: number; readonly rest: number; readonly rule: string };

/**
 * Finds "esquece", "deixa pra lá, não quero mais", "cancel it": a phrase of giving up that is a clause of its own, at the start or behind courtesy and refusals.
 * The same words with an object ("cancela o TIM Fashion"), negated, asked, or in look-alike letters are no farewell.
 *
 * @param isAwaitingYes at a confirmation of a cancellation, "cancela" says neither yes nor no.
 */
export function readAbandonment(scope: Scope, topic: Topic, isAwaitingYes: boolean): Abandonment | null {
  if (!scope.text.isPlain || scope.text.tail.includes('?')) return null;
  const start = skipPrelude(scope);
  const first = farewellAt(scope, start, { topic, isAwaitingYes });
  if (first === null) return null;
  let to = first.to;
  for (;;) {
    const next = farewellAt(scope, to, { topic, isAwaitingYes })?.to ?? courtesyEnd(scope.language, scope, to);
    if (next === null) return { from: start, to, rest: to, rule: first.rule };
    to = next;
  }
}

type Situation = { readonly topic: Topic; readonly isAwaitingYes: boolean };

function farewellAt(
  scope: Scope,
  at: number,
  situation: Situation,
): { readonly to: number; readonly rule: string } | null {
  const { language, tokens } = scope;
  const plain = phraseAt(language.abandon, tokens, at);
  if (plain !== null && isClauseEnd(scope, plain.to)) return { to: plain.to, rule: 'abandon.phrase' };
  const { topic, isAwaitingYes } = situation;
  const order = phraseAt(language.cancelOrders, tokens, at);
  const isOrder = order !== null && (!topic.isCancellation || (!isAwaitingYes && order.to - at === 1));
  if (isOrder && isClauseEnd(scope, order.to)) return { to: order.to, rule: 'abandon.cancel' };
  const verb = topic.isCancellation ? null : phraseAt(language.cancelVerbs, tokens, at);
  return verb !== null && isClauseEnd(scope, verb.to) ? { to: verb.to, rule: 'abandon.verb' } : null;
}

/** A clause ends at punctuation, at the end, before courtesy, and before a new wish ("esquece quero ver minha fatura"). */
function isClauseEnd(scope: Scope, at: number): boolean {
  const { language, tokens } = scope;
  return (
    isBoundary(tokens, at) ||
    phraseAt(language.filler, tokens, at) !== null ||
    phraseAt(language.request, tokens, at) !== null
  );
}

/** Courtesy, a refusal and words of correction may come first: "ah não, na verdade esquece". */
function skipPrelude(scope: Scope): number {
  const { language, tokens } = scope;
  let at = 0;
  for (;;) {
    if (phraseAt(language.abandon, tokens, at) !== null) return at;
    const next =
      phraseAt(language.filler, tokens, at) ?? phraseAt(language.correction, tokens, at) ?? refusalAt(scope, at);
    if (next === null) return at;
    at = next.to;
  }
}

/** A refusal is a prelude only when a clause ends behind it: "não, esquece", but not "não esquece". */
function refusalAt(scope: Scope, at: number): { readonly to: number } | null {
  const match = phraseAt(scope.language.no, scope.tokens, at);
  return match !== null && match.to < scope.tokens.length && isBoundary(scope.tokens, match.to) ? match : null;
}

function courtesyEnd(language: Language, scope: Scope, at: number): number | null {
  return phraseAt(language.filler, scope.tokens, at)?.to ?? null;
}
