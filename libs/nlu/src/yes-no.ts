import { type ConfirmationReading } from '@latch/transaction';
import { answerParts, type Part, type PartKind, type Topic } from './answer-parts.ts';
import { findPhrase } from './phrases.ts';
import { type Scope } from './scope.ts';

/** How an utterance answers a yes/no question, with the tokens that decided it. */
export type Answer = {
  readonly reading: ConfirmationReading;
  readonly rule: string;
  readonly from: number;
  readonly to: number;
  /** What else the words could have been taken for. */
  readonly runnerUp: string | null;
  readonly saysYes: boolean;
  readonly saysNo: boolean;
};

/**
 * Reads a yes or no by a closed grammar: the whole utterance must be made of phrases of agreement (or refusal), courtesy, function words and the words of the
 * open proposal. Both at once, doubt, a condition, a question mark on the yes, an unknown word or a look-alike character: unclear. A refusal with something
 * more to it is `no_with_change`. A complete yes may be followed by a question for information that is no condition.
 */
export function readYesNo(scope: Scope, topic: Topic): Answer {
  const heard = hear(scope, topic);
  const decisive = heard.answer.find((part) => part.kind === 'yes' || part.kind === 'no' || part.kind === 'doubt');
  const [reading, rule] = decideReading(scope, heard);
  return {
    reading,
    rule,
    from: decisive?.from ?? 0,
    to: decisive?.to ?? 0,
    runnerUp: reading === 'unclear' ? rivalOf(heard) : null,
    saysYes: heard.saysYes,
    saysNo: heard.saysNo,
  };
}

type Heard = {
  readonly answer: readonly Part[];
  /** A question that follows the answer. */
  readonly question: readonly Part[];
  readonly saysYes: boolean;
  readonly saysNo: boolean;
  /** Nothing but the closed grammar and the topic was said. */
  readonly isWhole: boolean;
};

function hear(scope: Scope, topic: Topic): Heard {
  const parts = answerParts(scope, topic);
  const start = questionStart(parts);
  const answer = parts.slice(0, start);
  const kinds = new Set<PartKind>(answer.map(({ kind }) => kind));
  const isWhole = !kinds.has('other') && !kinds.has('contrast') && !kinds.has('question');
  return { answer, question: parts.slice(start), saysYes: kinds.has('yes'), saysNo: kinds.has('no'), isWhole };
}

/** Where the first question behind a yes begins; the number of parts when there is none. */
function questionStart(parts: readonly Part[]): number {
  const yes = parts.findIndex((part) => part.kind === 'yes');
  const start = parts.findIndex((part, index) => part.kind === 'question' && yes >= 0 && index > yes);
  return start < 0 ? parts.length : start;
}

function decideReading(scope: Scope, heard: Heard): readonly [ConfirmationReading, string] {
  if (scope.tokens.length === 0) return ['unclear', 'yes-no.empty'];
  if (!scope.text.isPlain) return ['unclear', 'yes-no.unusual-characters'];
  if (heard.answer.some((part) => part.kind === 'doubt')) return ['unclear', 'yes-no.doubt'];
  if (heard.saysYes === heard.saysNo) return ['unclear', heard.saysYes ? 'yes-no.contradiction' : 'yes-no.neither'];
  return heard.saysYes ? decideYes(scope, heard) : decideNo(scope, heard);
}

function decideYes(scope: Scope, heard: Heard): readonly [ConfirmationReading, string] {
  if (!heard.isWhole) return ['unclear', 'yes-no.yes-and-more'];
  if (isAsked(scope, heard)) return ['unclear', 'yes-no.asked-back'];
  if (heard.question.length === 0) return ['yes', 'yes-no.yes'];
  return isInformational(scope, heard.question)
    ? ['yes', 'yes-no.yes-and-question']
    : ['unclear', 'yes-no.yes-and-condition'];
}

function decideNo(scope: Scope, heard: Heard): readonly [ConfirmationReading, string] {
  if (!heard.isWhole) return ['no_with_change', 'yes-no.no-and-more'];
  return isAsked(scope, heard) ? ['unclear', 'yes-no.asked-back'] : ['no', 'yes-no.no'];
}

/** A question mark that belongs to the answer itself: "sim?". */
function isAsked(scope: Scope, heard: Heard): boolean {
  const last = heard.answer.at(-1)?.to ?? 0;
  const isInside = scope.tokens.slice(1, last).some((token) => token.mark.includes('?'));
  const closing = last < scope.tokens.length ? scope.tokens[last]?.mark : scope.text.tail;
  return isInside || closing?.includes('?') === true;
}

/** A question about facts: no negation, no other wish, no number, nothing about fees. */
function isInformational(scope: Scope, question: readonly Part[]): boolean {
  const { language, tokens } = scope;
  const from = question[0]?.from ?? 0;
  if (question.some((part) => part.kind === 'no' || part.kind === 'contrast' || part.kind === 'doubt')) return false;
  const hasNumber = tokens
    .slice(from)
    .some((token) => token.kind === 'number' || Object.hasOwn(language.lexicon.numbers, token.text));
  return !hasNumber && findPhrase(language.condition, tokens, from) === null;
}

function rivalOf(heard: Heard): string | null {
  if (heard.saysYes && heard.saysNo) return 'yes-no.no';
  if (heard.saysYes) return 'yes-no.yes';
  return heard.saysNo ? 'yes-no.no' : null;
}
