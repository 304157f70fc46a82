import { setTimeout as pause } from 'node:timers/promises';
import { type BusMessage, failure, type Result, success, TerminalError, topics } from '@latch/contracts';
import { makeEnvelope, toBusMessage } from '@latch/messaging';
import { type Refusal, type RequestContext } from '@latch/http';
import { type Ingress } from './ingress.ts';
import { type WaitOutcome } from './reply-hub.ts';
import { type Turn } from './turn.ts';

/** How a turn ended for its caller: with an answer, without one yet, or not accepted at all. */
export type TurnOutcome = WaitOutcome | { readonly kind: 'refused'; readonly refusal: Refusal };

/** How a caller waits. */
export type Waiting = {
  readonly context: RequestContext;
  readonly timeoutMs: number;
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal;
  /** Called as soon as the turn is accepted. */
  onAccepted?(): void;
  /** Told what servers say of the calls of this conversation, from then on. */
  onProgress?(progress: Readonly<Record<string, unknown>>): void;
};

/**
 * Takes a turn in and waits for its reply. The place in the hub is taken before the turn is published, so that no reply can come too early; the turn is
 * accepted when the bus has it (acks = all). A turn that is refused here has not been promised to anybody; it may be sent again with the same id.
 */
export async function receiveMessage(ingress: Ingress, turn: Turn, waiting: Waiting): Promise<TurnOutcome> {
  const giveUp = new AbortController();
  const signal = AbortSignal.any([waiting.signal, giveUp.signal]);
  let isAccepted = false;
  const progress = {
    conversationKey: turn.conversationKey,
    tell: (said: Readonly<Record<string, unknown>>) => void (isAccepted && waiting.onProgress?.(said)),
  };
  const how = { timeoutMs: waiting.timeoutMs, signal, ...(waiting.onProgress && { progress }) };
  const reply = waiting.timeoutMs > 0 ? ingress.hub.wait(turn, how) : late;
  if (!reply) return { kind: 'refused', refusal: busy };
  const accepted = await publish(ingress, turnMessage(turn, waiting.context));
  if (!accepted.ok) {
    giveUp.abort();
    return { kind: 'refused', refusal: accepted.error };
  }
  waiting.onAccepted?.();
  isAccepted = true;
  return reply;
}

const late: Promise<WaitOutcome> = Promise.resolve({ kind: 'late' });
const busy: Refusal = { status: 503, code: 'service.busy', retryAfterSeconds: 2 };
const busUnavailable: Refusal = { status: 503, code: 'bus.unavailable', retryAfterSeconds: 2 };

function turnMessage(turn: Turn, context: RequestContext): BusMessage {
  const { payload } = turn.request;
  const envelope = makeEnvelope({
    eventType: 'IC.GATEWAY_RECEIVED',
    payload: turn.request,
    contractVersion: 'gateway-request-v1',
    tenantId: turn.tenantId,
    agentId: turn.agentId,
    sessionId: payload.session_id,
    conversationKey: turn.conversationKey,
    traceId: context.traceId,
    eventId: turn.turnId,
    messageId: payload.message_id,
    requestId: payload.metadata?.request_id ?? context.requestId,
    producer: 'ingress',
    timestamp: new Date().toISOString(),
  });
  return toBusMessage(topics.turns, envelope, { traceparent: context.traceparent });
}

/**
 * Bounded in time: a bus that is away answers late or never. A publish that ends after the bound does no harm, since the turn's id makes the repeat the
 * same turn.
 */
async function publish(ingress: Ingress, message: BusMessage): Promise<Result<void, Refusal>> {
  const done = new AbortController();
  try {
    await Promise.race([ingress.bus.publish([message]), timeOut(ingress.publishTimeoutMs, done.signal)]);
    return success(undefined);
  } catch (error) {
    if (error instanceof TerminalError) throw error;
    ingress.logger.warn('turn.publish_failed', { error, conversation_key: message.key });
    return failure(busUnavailable);
  } finally {
    done.abort();
  }
}

async function timeOut(timeoutMs: number, signal: AbortSignal): Promise<never> {
  await pause(timeoutMs, undefined, { signal });
  throw new Error(`The bus did not accept a message within ${timeoutMs} ms.`);
}
