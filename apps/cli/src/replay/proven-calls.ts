import { type AnswerOrder, type ApprovedInvocation, type ProvenCall, type StreamProjection } from '@latch/event-store';
import { mostEntries } from '@latch/presentation';
import { type ConversationState, type ReplayedStep, type ReplySlot, type ToolResultArrived } from '@latch/transaction';

/** Gathers from the decisions of a stream what its events prove of the calls that were approved in it. */
export class ProvenCalls {
  private readonly begunAt = new Map<string, string>();
  private readonly withoutDigest = new Set<string>();
  private readonly answers = new Map<string, AnswerOrder>();
  private readonly outcomes = new Map<string, ProvenCall['outcome']>();
  private state: ConversationState | null = null;

  /** Takes one decision, with the ids of the calls that it approved. */
  add({ input, events, after, version }: ReplayedStep, approved: readonly { readonly invocation_id?: string }[]): void {
    this.state = after;
    for (const { invocation_id: id } of approved) if (id !== undefined) this.begunAt.set(id, input.at);
    if (input.type === 'ToolResultArrived') this.addEnd(input, version);
    for (const event of events) if (event.type === 'TurnAnswered') this.addAnswer(event.turnId, mostShown(event.slots));
    if (input.type !== 'UserSpoke' || events[0]?.type !== 'TurnReceived') return;
    this.begunAt.set(input.turnId, input.at);
    if (input.bodyDigest === undefined) this.withoutDigest.add(input.turnId);
  }

  /** What was proven of these calls. */
  tellOf(
    invocations: readonly ApprovedInvocation[],
  ): Pick<StreamProjection, 'answers' | 'begunAt' | 'calls' | 'withoutDigest'> {
    const awaited = awaitedIn(this.state);
    const calls = invocations.map(({ invocationId, operationType }): ProvenCall => {
      const isAwaited = awaited.has(invocationId) && operationType !== 'read_only';
      return { invocationId, outcome: this.outcomes.get(invocationId) ?? null, isAwaited };
    });
    const { answers, begunAt, withoutDigest } = this;
    return { answers, begunAt, calls, withoutDigest };
  }

  private addAnswer(turnId: string, members: number): void {
    if (members > 1) this.answers.set(turnId, members > mostEntries ? 'cut' : 'unordered');
  }

  /** The first result is that of the executor, also where nobody waited for it any more; the ledger keeps the first outcome too. */
  private addEnd({ invocationId, result }: ToolResultArrived, sequence: number): void {
    if (!this.outcomes.has(invocationId)) this.outcomes.set(invocationId, { result, sequence });
  }
}

/** The executions whose end is still of use. */
function awaitedIn(state: ConversationState | null): ReadonlySet<string> {
  if (state === null) return new Set();
  const open = [state.transaction, ...state.unresolved];
  return new Set(
    open.flatMap((one) =>
      one?.status === 'EXECUTING' || one?.status === 'OUTCOME_UNKNOWN' ? [one.call.invocationId] : [],
    ),
  );
}

/** How many members the largest object has among what an answer shows as it came from a tool or a user. */
function mostShown(slots: readonly ReplySlot[]): number {
  const shown = slots.flatMap((slot): readonly unknown[] => {
    if (slot.kind === 'ask_confirmation') return slot.values.map(({ value }) => value);
    return slot.kind === 'outcome' ? [slot.isReadOnly && slot.data, ...slot.values.map(({ value }) => value)] : [];
  });
  return Math.max(0, ...shown.map(mostMembers));
}

function mostMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Math.max(own, ...Object.values(value).map(mostMembers));
}
