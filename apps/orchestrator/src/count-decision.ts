import { type Metrics } from '@latch/observability';
import { type TransactionEvent } from '@latch/transaction';
import { type DecidedTurn } from './run-turn.ts';

/** Counts what was decided, under the metric names of the reference. */
export function countDecision(metrics: Metrics, { work, events, reaction }: DecidedTurn): void {
  if (work.kind === 'turn') {
    const outcome = reaction.replies.length > 0 ? 'answered' : 'waiting';
    metrics.turns.inc({ agent: work.identity.agentId, channel: work.request.channel, outcome });
  }
  events.forEach((event) => countEvent(metrics, event, reaction));
}

function countEvent(metrics: Metrics, event: TransactionEvent, reaction: DecidedTurn['reaction']): void {
  if (event.type === 'UserConfirmed') metrics.confirmations.inc({ decision: 'yes' });
  if (event.type === 'ProposalAmended') metrics.confirmations.inc({ decision: 'amended' });
  if (event.type !== 'TransactionEnded') return;
  if (event.reason === 'declined') metrics.confirmations.inc({ decision: 'no' });
  const tool = reaction.transactions.find(({ id }) => id === event.transactionId)?.tool ?? 'unknown';
  metrics.transactions.inc({ tool, outcome: event.outcome ?? event.status });
  event.items.forEach(({ outcome }) => metrics.items.inc({ tool, result: outcome }));
}
