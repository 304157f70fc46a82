import { EventEnvelope } from '@latch/contracts';
import { type EventRange, type StoredEvent, type StoredTurn } from '@latch/event-store';
import { type StoreReads } from '@latch/read-api';
import { isTransactionEvent } from '@latch/transaction';

/** One turn of a conversation, as people read it. */
export type ChatTurn = {
  /** Position of the turn in the conversation's stream. */
  readonly sequence: number;
  readonly turn_id: string;
  readonly message_id: string | null;
  readonly at: string;
  /** What the user wrote; null where it was erased, or where a button spoke. */
  readonly said: string | null;
  /** What was answered; null while the answer is under way, or where it was erased. */
  readonly answered: string | null;
  readonly status: 'in_flight' | 'done';
  /** The transaction that the answer is about. */
  readonly transaction_id: string | null;
};

/** Turns in order. */
export type Chat = readonly ChatTurn[];

/** Reads what was said in a conversation: the messages from its events, the answers as they were sent. */
export async function readChat(store: Pick<StoreReads, 'readEvents' | 'readTurns'>, range: EventRange): Promise<Chat> {
  const events = await store.readEvents({ ...range, types: ['TurnReceived'] });
  const turnIds = events.flatMap((event) => turnIdIn(event) ?? []);
  const turns = await store.readTurns(range.tenantId, turnIds);
  const byId = new Map<string, StoredTurn>(turns);
  return events.flatMap((event) => {
    const turnId = turnIdIn(event);
    return turnId === undefined ? [] : [chatTurn(event, { turnId, turn: byId.get(turnId) })];
  });
}

function turnIdIn({ payload }: StoredEvent): string | undefined {
  return isTransactionEvent(payload) && payload.type === 'TurnReceived' ? payload.input.turnId : undefined;
}

type Answer = { readonly turnId: string; readonly turn: StoredTurn | undefined };

function chatTurn({ version, messageId, occurredAt, payload }: StoredEvent, { turnId, turn }: Answer): ChatTurn {
  const said = isTransactionEvent(payload) && payload.type === 'TurnReceived' ? payload.input.text : null;
  const { text, transactionId } = answerIn(turn?.response ?? null);
  return {
    sequence: version,
    turn_id: turnId,
    message_id: messageId,
    at: occurredAt,
    said: textOf(said),
    answered: text,
    status: turn?.status ?? 'in_flight',
    transaction_id: transactionId,
  };
}

function answerIn(response: string | null): { readonly text: string | null; readonly transactionId: string | null } {
  const envelope = response === null ? undefined : EventEnvelope.safeParse(JSON.parse(response));
  if (!envelope?.success) return { text: null, transactionId: null };
  const { payload, transaction_id: transactionId = null } = envelope.data;
  return { text: textOf(payload['text']), transactionId };
}

/** An erased text is a marker and no text any more. */
function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
