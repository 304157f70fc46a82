import {
  type BusMessage,
  ChannelResponse,
  type EvaluationResult,
  RetryableError,
  ToolResult,
  topics,
} from '@latch/contracts';
import { type EventStore } from '@latch/event-store';
import { type Bus, makeEnvelope, type Received, type ReceivedEnvelope, toBusMessage } from '@latch/messaging';
import { type Logger } from '@latch/observability';
import { type EvaluationStore, type KeptEvidence } from './evaluation-store.ts';
import { type FinishedTurn, hasItsEvidence } from './finished-turn.ts';
import { scoreTurn } from './score-turn.ts';

/** What judging needs. */
export type Judging = {
  readonly store: Omit<EvaluationStore, 'close'>;
  /** What the engine approved: the other half of the evidence. */
  readonly approvals: Pick<EventStore, 'readApprovedInvocations'>;
  readonly bus: Pick<Bus, 'publish'>;
  readonly logger: Logger;
};

/**
 * Handles one batch of answers and tool results: keeps them, and judges each answer whose evidence is complete. The rest waits in the database, over restarts,
 * for the batch that brings its evidence or for `judgeOverdue`.
 *
 * A turn is let go only after its evaluation is published, so that a crash at any point leads to the same evaluation again, under the same id.
 */
export async function judgeBatch(judging: Judging, batch: readonly Received[]): Promise<void> {
  const evidence = batch.flatMap((received) => evidenceIn(received) ?? []);
  const answers = batch.flatMap((received) => answerIn(received, judging.logger) ?? []);
  if (evidence.length + answers.length === 0) return;
  await judging.store.remember(evidence, answers);
  const touched = [...answers, ...evidence.map(conversationOf)];
  await judgeDue(judging, await judging.store.waitingIn(touched), hasItsEvidence);
}

/** Judges answers that have waited long enough, without what did not come. @returns how many. */
export async function judgeOverdue(
  judging: Judging,
  { waitMs, limit }: { readonly waitMs: number; readonly limit: number },
): Promise<number> {
  const { store } = judging;
  const before = new Date((await store.now()).getTime() - waitMs);
  const answers = await store.waitingSince(before, limit);
  await judgeDue(judging, answers, () => true);
  return answers.length;
}

/**
 * Judges the due ones of these answers together. When that fails for another reason than that database or bus do not answer, each is judged by itself, and one
 * that still cannot be is set aside with an error in the log: it must not hold up those of others.
 */
async function judgeDue(
  judging: Judging,
  answers: readonly ReceivedEnvelope[],
  isDue: (turn: FinishedTurn) => boolean,
): Promise<void> {
  try {
    const turns = await withEvidence(judging, answers);
    await judge(judging, turns.filter(isDue));
  } catch (error) {
    if (error instanceof RetryableError) throw error;
    if (answers.length > 1) for (const answer of answers) await judgeDue(judging, [answer], isDue);
    else await setAside(judging, answers, error);
  }
}

async function setAside(
  { store, logger }: Judging,
  answers: readonly ReceivedEnvelope[],
  error: unknown,
): Promise<void> {
  for (const answer of answers) logger.error('turn.not_judged', { error, ...correlationOf(answer) });
  await store.setAside(answers);
}

function correlationOf({ event_id, tenant_id, agent_id, conversation_key, trace_id }: ReceivedEnvelope) {
  return { event_id, tenant_id, agent_id, conversation_key, trace_id };
}

async function judge({ store, bus, logger }: Judging, turns: readonly FinishedTurn[]): Promise<void> {
  if (turns.length === 0) return;
  const now = (await store.now()).toISOString();
  const results = await store.save(turns.map((turn) => scoreTurn(turn, now)));
  const answers = new Map(turns.map(({ envelope }) => [envelope.event_id, envelope]));
  await bus.publish(results.flatMap((result) => messageOf(result, answers.get(result.evidence[0] ?? '')) ?? []));
  await store.forget([...answers.values()]);
  for (const result of results) logResult(logger, result);
}

function logResult(logger: Logger, result: EvaluationResult): void {
  const { tenant_id, agent_id, conversation_key, transaction_id, verdict, findings } = result;
  const fields = { tenant_id, agent_id, conversation_key, transaction_id, verdict, findings };
  if (verdict === 'fail') logger.warn('turn.judged', fields);
  else logger.debug('turn.judged', fields);
}

function evidenceIn({ record, envelope, payload }: Received): KeptEvidence | undefined {
  if (record.topic !== topics.toolResults) return undefined;
  const result = ToolResult.parse(payload);
  return {
    eventId: envelope.event_id,
    tenantId: envelope.tenant_id,
    conversationKey: envelope.conversation_key,
    transactionId: result.transaction_id ?? envelope.transaction_id ?? null,
    result,
  };
}

function conversationOf(of: KeptEvidence): Pick<ReceivedEnvelope, 'conversation_key' | 'tenant_id'> {
  return { conversation_key: of.conversationKey, tenant_id: of.tenantId };
}

/** A refused turn (IC.TURN_CONFLICT) has no answer to judge, and an event that calls itself an answer and holds none is not kept. */
function answerIn({ record, envelope }: Received, logger: Logger): ReceivedEnvelope | undefined {
  if (record.topic !== topics.responses || envelope.event_type !== 'IC.AGENT_COMPLETED') return undefined;
  if (ChannelResponse.safeParse(envelope.payload).success) return envelope;
  logger.error('answer.unreadable', correlationOf(envelope));
  return undefined;
}

/** Evidence counts only within its tenant and conversation, whatever ids a message names (invariant I12). */
async function withEvidence(
  { store, approvals }: Judging,
  answers: readonly ReceivedEnvelope[],
): Promise<readonly FinishedTurn[]> {
  if (answers.length === 0) return [];
  const found = await store.evidenceFor(answers);
  const approved = await approvals.readApprovedInvocations(found.flatMap(({ result }) => result.invocation_id ?? []));
  return answers.map((envelope) => {
    const own = found.filter(
      ({ tenantId, conversationKey }) =>
        tenantId === envelope.tenant_id && conversationKey === envelope.conversation_key,
    );
    const evidence = relevant(own, envelope).map(({ eventId, result }) => {
      const call = approved.get(result.invocation_id ?? '');
      return { eventId, result, approved: call?.tenantId === envelope.tenant_id ? call : undefined };
    });
    return { envelope, response: ChannelResponse.parse(envelope.payload), evidence };
  });
}

function relevant(evidence: readonly KeptEvidence[], envelope: ReceivedEnvelope): readonly KeptEvidence[] {
  const cause = evidence.find(({ eventId }) => eventId === envelope.causation_id);
  const transactions = [envelope.transaction_id, cause?.transactionId].filter((id) => typeof id === 'string');
  return evidence.filter(
    (one) => one === cause || (one.transactionId !== null && transactions.includes(one.transactionId)),
  );
}

function messageOf(result: EvaluationResult, answer: ReceivedEnvelope | undefined): BusMessage | undefined {
  if (!answer) return undefined;
  const envelope = makeEnvelope({
    eventType: 'IC.EVALUATION_COMPLETED',
    payload: result,
    contractVersion: 'evaluation-result-v1',
    tenantId: result.tenant_id,
    agentId: result.agent_id,
    sessionId: result.session_id,
    conversationKey: result.conversation_key,
    traceId: answer.trace_id,
    eventId: result.result_id,
    causationId: answer.event_id,
    messageId: answer.message_id,
    transactionId: result.transaction_id,
    producer: 'evaluator',
    timestamp: result.evaluated_at,
  });
  return { ...toBusMessage(topics.evaluations, envelope), key: result.run_id };
}
