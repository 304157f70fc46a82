import { type RequestContext } from '@latch/http';
import { type Ingress } from './ingress.ts';
import { type TurnOutcome } from './receive-message.ts';
import { type Turn } from './turn.ts';

/** What is known of a turn when its caller has an answer, or has none. */
export type ObservedTurn = {
  readonly outcome: TurnOutcome;
  readonly context: RequestContext;
  readonly durationMs: number;
};

/** Counts a turn and writes its one log line. Agent and channel are configured names by now, so that the labels are bounded. */
export function observeTurn(ingress: Ingress, turn: Turn, { outcome, context, durationMs }: ObservedTurn): void {
  const { metrics, logger } = ingress;
  metrics.turns.inc({ agent: turn.agentId, channel: turn.request.channel, outcome: outcome.kind });
  if (outcome.kind === 'answered') metrics.turnDuration.observe({}, durationMs / 1_000);
  logger.info('turn.ended', {
    tenant_id: turn.tenantId,
    agent_id: turn.agentId,
    conversation_key: turn.conversationKey,
    message_id: turn.request.payload.message_id,
    trace_id: context.traceId,
    turn_id: turn.turnId,
    request_id: context.requestId,
    outcome: outcome.kind,
    duration_ms: Math.round(durationMs * 10) / 10,
    ...(outcome.kind === 'refused' ? { code: outcome.refusal.code } : {}),
  });
}
