import { setTimeout as sleep } from 'node:timers/promises';
import { type BusMessage, RetryableError, TerminalError, type ToolExecution, topics } from '@latch/contracts';
import { type OutcomeToRecord, type ToolLedger } from '@latch/event-store';
import { type ReceivedEnvelope, toBusMessage } from '@latch/messaging';
import { type Logger } from '@latch/observability';
import { callSignal, executionMessage, isPublishable } from './envelopes.ts';
import { type InvocationWork } from './execute-invocation.ts';
import { type OutcomePublisher } from './outcome-publisher.ts';

/** A call that ended, and the running instance that says so. */
export type EndedCall = { readonly work: InvocationWork; readonly execution: ToolExecution; readonly owner: string };

/** Records and tells how a call ended. */
export type SettleOutcome = (ended: EndedCall) => Promise<void>;

/** What settling takes. */
export type SettleParts = {
  readonly ledger: Pick<ToolLedger, 'recordOutcome'>;
  readonly publisher: Pick<OutcomePublisher, 'publish'>;
  readonly clock: { now(): string };
  readonly logger: Logger;
  /** Told each recorded execution with the signals that went with it, for metrics and alarms. */
  readonly onRecorded: (execution: ToolExecution, signals: readonly ReceivedEnvelope[]) => void;
};

/** How long an outcome is held in memory while the database is away; then the lease passes on, and the outcome counts as lost. */
const holdMs = 60_000;

/**
 * Records the outcome with its messages in one transaction, then publishes them. The first outcome of an invocation stays, and a call that another
 * instance has begun meanwhile is left to it: then nothing is told, so that a conversation never hears two.
 */
export function createSettleOutcome(parts: SettleParts): SettleOutcome {
  return async ({ work, execution, owner }) => {
    const { invocationId } = work.approved;
    const told = tellable(work, execution, parts.clock.now());
    const outcome = { invocationId, owner, execution: told.execution, outgoing: told.messages };
    const isRecorded = await recordPersistently(outcome, parts);
    if (!isRecorded) {
      parts.logger.warn('outcome.came_too_late', { invocation_id: invocationId });
      return;
    }
    parts.publisher.publish(told.messages);
    parts.onRecorded(told.execution, told.signals);
  };
}

type Told = {
  readonly execution: ToolExecution;
  readonly signals: readonly ReceivedEnvelope[];
  readonly messages: readonly BusMessage[];
};

function tellable(work: InvocationWork, execution: ToolExecution, timestamp: string): Told {
  const { carried, message } = carriable(work, execution, timestamp);
  const { traceparent } = work;
  const signals = refusalSignals(work, carried, timestamp);
  const told = signals.map((signal) => toBusMessage(topics.signals, signal, { traceparent }));
  return { execution: carried, signals, messages: [message, ...told] };
}

type Carriable = { readonly carried: ToolExecution; readonly message: BusMessage };

/** @throws TerminalError when the bus does not take it even without the answer: the approved call itself is too large, and that is a bug. */
function carriable({ approved, traceparent }: InvocationWork, execution: ToolExecution, timestamp: string): Carriable {
  const candidate = (carried: ToolExecution): Carriable => ({
    carried,
    message: executionMessage(approved, carried, { timestamp, traceparent }),
  });
  const whole = candidate(execution);
  if (isPublishable(whole.message)) return whole;
  const bare = candidate(withoutAnswer(execution));
  if (isPublishable(bare.message)) return bare;
  const message = `How ${approved.invocationId} ended cannot be told: the call itself is too large for the bus.`;
  throw new TerminalError(message, { code: 'message.invalid' });
}

/** The answer passed the server's limit but not the bus's: the conversation hears that it came and could not be carried. */
function withoutAnswer(execution: ToolExecution): ToolExecution {
  const message = 'The answer of the tool is larger than what can be passed on.';
  const attempts = execution.attempts.map(({ outcome: _outcome, ...attempt }) => attempt);
  return {
    ...execution,
    attempts,
    outcome: { kind: 'transport_error', code: 'result_too_large', message, sent: true },
  };
}

/** Refusals that an operator must know of. An open breaker has its own alarm, a full bulkhead passes. */
const reportedCodes: readonly unknown[] = [
  'tool.not_allowed',
  'tool.expired',
  'tool.limit_exceeded',
  'tool.schema_changed',
];

function refusalSignals(
  { approved }: InvocationWork,
  { outcome }: ToolExecution,
  timestamp: string,
): readonly ReceivedEnvelope[] {
  if (outcome.kind !== 'refused' || !reportedCodes.includes(outcome.error.code)) return [];
  const { code, message } = outcome.error;
  const payload = { invocation_id: approved.invocationId, tool_name: approved.tool, code, message };
  return [callSignal(approved, { eventType: 'NOC.INVOCATION_REFUSED', payload, timestamp })];
}

async function recordPersistently(outcome: OutcomeToRecord, { ledger, logger }: SettleParts): Promise<boolean> {
  const givesUpAt = performance.now() + holdMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ledger.recordOutcome(outcome);
    } catch (error) {
      if (!(error instanceof RetryableError) || performance.now() > givesUpAt) throw error;
      logger.warn('outcome.not_recorded', { error, attempt, invocation_id: outcome.invocationId });
      await sleep(Math.min(5_000, 50 * 2 ** attempt));
    }
  }
}
