import { type TurnId } from '@latch/contracts';
import { type EventOf, type TransactionEvent } from './events.ts';
import { type TransactionInput } from './inputs.ts';
import { replaySteps } from './replay.ts';
import { type ConversationIdentity, type ConversationState, initialState } from './state.ts';

/** A stored fact with its position in the conversation, from 1. */
export type RecordedFact = { readonly sequence: number; readonly event: TransactionEvent };

/** One decision of a stream with the states around it. */
export type ToldStep = {
  readonly input: TransactionInput;
  readonly facts: readonly RecordedFact[];
  readonly before: ConversationState;
  readonly after: ConversationState;
};

/** A turn as a stream tells it. */
export type RecordedTurn = {
  readonly received: EventOf<'TurnReceived'>;
  /** The decision about the message. */
  readonly own: ToldStep;
  /** That one, and the later ones about the calls that it began. */
  readonly story: readonly ToldStep[];
  /** The decision that answered the turn; null as long as none has. It is another turn's where that one gave the transaction up. */
  readonly answer: ToldStep | null;
};

/** Whether a stored payload is a fact: it has a type. One of a type that this version does not know changes nothing and is shown as it is. */
export function isTransactionEvent(payload: unknown): payload is TransactionEvent {
  return typeof payload === 'object' && payload !== null && 'type' in payload && typeof payload.type === 'string';
}

/** The turn of a message; the last one where several users or channels used the same id. Undefined when no turn has it. */
export function findTurn(facts: readonly RecordedFact[], messageId: string): EventOf<'TurnReceived'> | undefined {
  return facts
    .map(({ event }) => event)
    .filter((event) => event.type === 'TurnReceived')
    .findLast(({ input }) => input.messageId === messageId);
}

/** Tells a turn from the facts of its whole conversation, the first one first. Null when they do not hold it. */
export function tellTurn(
  identity: ConversationIdentity,
  facts: readonly RecordedFact[],
  received: EventOf<'TurnReceived'>,
): RecordedTurn | null {
  const steps = toldSteps(identity, facts);
  const at = steps.findIndex((step) => step.facts.some(({ event }) => event === received));
  const own = steps[at];
  if (own === undefined) return null;
  const since = steps.slice(at);
  const answer = since.find((step) => answers(step, received.input.turnId)) ?? null;
  return { received, own, story: storyOf(own, since.slice(1)), answer };
}

function toldSteps(identity: ConversationIdentity, facts: readonly RecordedFact[]): readonly ToldStep[] {
  const events = facts.map(({ event }) => event);
  return [...replaySteps(initialState(identity), events)].map((step) => ({
    input: step.input,
    facts: facts.slice(step.version - 1, step.version - 1 + step.events.length),
    before: step.before,
    after: step.after,
  }));
}

function answers({ facts }: ToldStep, turnId: TurnId): boolean {
  return facts.some(({ event }) => event.type === 'TurnAnswered' && event.turnId === turnId);
}

function storyOf(own: ToldStep, later: readonly ToldStep[]): readonly ToldStep[] {
  const calls = new Set<string>(callsBegunIn(own));
  const following = later.filter((step) => {
    if (!isAbout(step, calls)) return false;
    callsBegunIn(step).forEach((id) => calls.add(id));
    return true;
  });
  return [own, ...following];
}

function callsBegunIn({ facts }: ToldStep): readonly string[] {
  return facts.flatMap(({ event }) => ('call' in event ? [event.call.invocationId] : []));
}

/** A result of one of the calls, or a deadline that one of them did not keep. */
function isAbout({ input, before }: ToldStep, calls: ReadonlySet<string>): boolean {
  switch (input.type) {
    case 'ToolResultArrived':
      return calls.has(input.invocationId);
    case 'DeadlinePassed':
      return callsAwaitedIn(before, input.transactionId).some((id) => calls.has(id));
    case 'UserSpoke':
      return false;
    default:
      return input satisfies never;
  }
}

function callsAwaitedIn({ transaction, unresolved }: ConversationState, transactionId: string): readonly string[] {
  return [transaction, ...unresolved].flatMap((open) =>
    open?.id === transactionId && 'call' in open ? [open.call.invocationId] : [],
  );
}
