import { canonicalJson, ChannelResponse, deterministicId, EventEnvelope, TurnId } from '@latch/contracts';
import {
  type ConversationAppend,
  type Deadline,
  eventHash,
  type EventToAppend,
  genesisHash,
  type StoredEvent,
  type StoredStream,
  type StoredTurn,
  type TransactionRow,
  type TurnRow,
} from '@latch/event-store';
import { type DecidedTurn, toAppend } from '@latch/orchestrator/engine';
import { type ConversationIdentity } from '@latch/transaction';

/** Gathers what the engine decided for one conversation, in the form in which the store holds it. */
export class ConversationRecorder {
  private readonly events: EventToAppend[] = [];
  private readonly turns = new Map<string, TurnRow>();
  private readonly transactions = new Map<string, TransactionRow>();
  private readonly invocations: ConversationAppend['invocations'][number][] = [];
  private readonly said: string[] = [];
  private last: ConversationAppend | null = null;

  constructor(private readonly identity: ConversationIdentity) {}

  /** Takes one decision, made at an instant. */
  add(decided: DecidedTurn, at: string): void {
    const { conversationKey: key } = this.identity;
    const version = this.events.length;
    const before = { streamId: this.streamId(), version, state: null, configDigest: null, headHash: '' };
    const [append] = toAppend([decided], { loaded: new Map([[key, before]]), turns: this.storedTurns(), at });
    if (append === undefined) return;
    this.events.push(...append.events);
    for (const turn of append.turns) {
      // As in the store: an answer that was given stays.
      if (this.turns.get(turn.turnId)?.status !== 'done') this.turns.set(turn.turnId, turn);
    }
    for (const row of append.transactions) this.transactions.set(row.id, row);
    this.invocations.push(...append.invocations);
    this.said.push(...chatOf(decided, append));
    this.last = append;
  }

  /** When the conversation has to be woken; null: never. */
  deadline(): Deadline | null {
    return this.last?.deadline ?? null;
  }

  /** What was said and answered, in order. */
  chat(): readonly string[] {
    return this.said;
  }

  /** Everything as one append to an empty stream; nothing is published. */
  append(): ConversationAppend {
    if (this.last === null) throw new Error('Nothing was decided yet');
    return {
      ...this.last,
      expectedVersion: 0,
      events: this.events,
      turns: [...this.turns.values()],
      transactions: [...this.transactions.values()],
      invocations: this.invocations,
      outgoing: [],
    };
  }

  /** Everything as a store gives it back, chained from the first event on. */
  stream(): StoredStream {
    const { state, configDigest, deadline } = this.append();
    const events = this.chained();
    const at = { createdAt: events[0]?.occurredAt ?? '', updatedAt: events.at(-1)?.occurredAt ?? '' };
    const headHash = events.at(-1)?.hash ?? '';
    const streamId = this.streamId();
    const stored: unknown = JSON.parse(JSON.stringify(state));
    const head = { streamId, version: events.length, state: stored, configDigest, headHash, deadline };
    return { conversation: { ...this.identity, ...head, ...at }, events };
  }

  private chained(): readonly StoredEvent[] {
    const { tenantId, conversationKey } = this.identity;
    const streamId = this.streamId();
    let previous = genesisHash({ streamId, conversationKey, tenantId });
    return this.events.map((event, index) => {
      const payloadText = canonicalJson(event.payload);
      const payload: unknown = JSON.parse(payloadText);
      const chained = { ...event, payload, payloadText, version: index + 1 };
      previous = eventHash(streamId, previous, chained);
      return { ...chained, streamId, tenantId, conversationKey, hash: previous };
    });
  }

  private streamId(): string {
    return deterministicId('history-stream', this.identity.conversationKey);
  }

  private storedTurns(): ReadonlyMap<TurnId, StoredTurn> {
    const { conversationKey } = this.identity;
    return new Map(
      [...this.turns.values()].map((turn) => {
        const turnId = TurnId.parse(turn.turnId);
        return [turnId, { ...turn, turnId, conversationKey }];
      }),
    );
  }
}

function chatOf({ work }: DecidedTurn, { turns }: ConversationAppend): readonly string[] {
  const asked = work.kind === 'turn' ? [`user: ${wordsOf(work.request.payload)}`] : [];
  const answered = turns.flatMap(({ response }) => (response === null ? [] : [`latch: ${textOf(response)}`]));
  return [...asked, ...answered];
}

function wordsOf({ message, inputs }: { readonly message: string; readonly inputs?: unknown }): string {
  return inputs === undefined || inputs === null ? message : JSON.stringify(inputs);
}

function textOf(response: string): string {
  return ChannelResponse.parse(EventEnvelope.parse(JSON.parse(response)).payload).text;
}
