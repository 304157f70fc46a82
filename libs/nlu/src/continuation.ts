import { findPhrase, isBoundary, phraseAt, type PhraseMatch } from './phrases.ts';
import { type Scope } from './scope.ts';

/** A signal about the conversation itself, as token positions `[from, to)`. */
export type SignalMatch = { readonly rule: string; readonly from: number; readonly to: number };

/** Whether the user asks to try again what failed, or to go on with what was set aside. */
export function readSignals(scope: Scope): { readonly retry: SignalMatch | null; readonly resume: SignalMatch | null } {
  return { retry: asksToRetry(scope), resume: asksToResume(scope) };
}

/** "me enganei", "na verdade", "I meant": an earlier value was wrong. */
export function saysCorrection(scope: Scope): SignalMatch | null {
  return toSignal('correction', findPhrase(scope.language.correction, scope.tokens));
}

/** Requests are short; a long text that holds the words is about something else. */
const mostTokens = 14;

/** "tenta de novo os que falharam". */
function asksToRetry(scope: Scope): SignalMatch | null {
  const match = findPhrase(scope.language.retry, scope.tokens);
  if (match === null || scope.tokens.length > mostTokens || isNegated(scope, match)) return null;
  return scope.text.isPlain ? toSignal('retry', match) : null;
}

/** "continua", "retoma o cancelamento": said at the start, alone or with the name of what is taken up. */
function asksToResume(scope: Scope): SignalMatch | null {
  const { language, tokens } = scope;
  let at = 0;
  for (;;) {
    const match = phraseAt(language.resume, tokens, at);
    if (match !== null) return isAlone(scope, match.to) && scope.text.isPlain ? toSignal('resume', match) : null;
    const prelude = phraseAt(language.filler, tokens, at) ?? phraseAt(language.yes, tokens, at);
    if (prelude === null) return null;
    at = prelude.to;
  }
}

const connectors = new Set([
  'o',
  'a',
  'ao',
  'os',
  'as',
  'com',
  'de',
  'do',
  'da',
  'the',
  'to',
  'with',
  'el',
  'la',
  'al',
  'con',
  'isso',
  'it',
  'that',
  'eso',
]);

function isAlone(scope: Scope, at: number): boolean {
  if (scope.tokens.length - at > 6 || scope.text.tail.includes('?')) return false;
  return (
    isBoundary(scope.tokens, at) ||
    connectors.has(scope.tokens[at]?.text ?? '') ||
    phraseAt(scope.language.filler, scope.tokens, at) !== null
  );
}

function isNegated(scope: Scope, match: PhraseMatch<string>): boolean {
  return [1, 2].some((back) => scope.language.negations.has(scope.tokens[match.from - back]?.text ?? ''));
}

function toSignal(rule: string, match: PhraseMatch<string> | null): SignalMatch | null {
  return match === null ? null : { rule, from: match.from, to: match.to };
}
