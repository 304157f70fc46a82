import { type EventStream, problemOf, type Refusal } from '@latch/http';
import { type WaitOutcome } from './reply-hub.ts';
import { type TurnStatus } from './turn-status.ts';
import { type Turn } from './turn.ts';

type Opening = { readonly turn: Turn; readonly status: TurnStatus; readonly traceId: string };

/** The first two frames: the caller is connected, and its turn is accepted. */
export function openStream(stream: EventStream, { turn, status, traceId }: Opening): void {
  stream.send('connected', { turn_id: turn.turnId, conversation_key: turn.conversationKey, trace_id: traceId });
  stream.send('workflow.started', { ...status, agent_id: turn.agentId });
}

type Progress = { readonly progress: Readonly<Record<string, unknown>>; readonly status: TurnStatus };

/** What a client may have left unread before progress is left out. Its answer is still sent: only what is of no use later is not kept for it. */
const maxUnreadBytes = 16_384;

/** How far a running call of the conversation is, in its server's words: data, not an answer. */
export function sendProgress(stream: Pick<EventStream, 'send' | 'unreadBytes'>, { progress, status }: Progress): void {
  if (stream.unreadBytes > maxUnreadBytes) return;
  stream.send('tool.progress', { ...progress, turn_id: status.turn_id });
}

type Ending = {
  readonly outcome: WaitOutcome;
  /** Why the credential of the stream is not good any more; null while it is. */
  readonly lapse: Refusal | null;
  readonly status: TurnStatus;
  readonly traceId: string;
};

/** The last frames. The very last is always `flow.end` (the turn goes well, answered or not yet) or `error`, so that a client knows that it has all. */
export function endStream(stream: EventStream, ending: Ending): void {
  sendEnding(stream, ending);
  stream.close();
}

function sendEnding(stream: EventStream, { outcome, lapse, status, traceId }: Ending): void {
  switch (outcome.kind) {
    case 'answered':
      stream.send('message.responded', outcome.response);
      stream.send('workflow.completed', { turn_id: status.turn_id, ...transactionOf(outcome.response) });
      return stream.send('flow.end', { turn_id: status.turn_id, outcome: 'answered' });
    case 'late':
      return stream.send('flow.end', { ...status, outcome: 'pending' });
    case 'conflict':
      return stream.send('error', { ...problemOf(conflict, traceId), turn_id: status.turn_id });
    case 'draining':
      return stream.send('error', { ...problemOf(draining, traceId), ...status }, { retryMs: 1_000 });
    case 'gone':
      // The turn goes on: its answer is there for a credential that is good.
      return lapse === null ? undefined : stream.send('error', { ...problemOf(lapse, traceId), ...status });
    default:
      return outcome satisfies never;
  }
}

const conflict: Refusal = { status: 409, code: 'turn.conflict' };
const draining: Refusal = {
  status: 503,
  code: 'service.draining',
  detail:
    'The turn is accepted, but this instance stops. Ask at `status_url`, or send the message again with the same id.',
};

/** What became of the transaction, for clients that watch the workflow and not the words. */
function transactionOf(response: Readonly<Record<string, unknown>>): object {
  const { metadata } = response;
  if (typeof metadata !== 'object' || metadata === null) return {};
  return {
    transaction_id: Reflect.get(metadata, 'transaction_id') ?? null,
    transaction_status: Reflect.get(metadata, 'transaction_status') ?? null,
  };
}
