import { type Metrics } from '@latch/observability';
import { type TransactionEvent } from '@latch/transaction';
import { type DecidedTurn } from './run-turn.ts';

/** Counts what was decided, under the metric names of the reference. Turns are counted where callers wait for them: in ingress. */
export function countDecision(metrics: Metrics, { events, reaction }: DecidedTurn): void {
  const { signals } = reaction;
  signals.filter(isAlarming).forEach(({ eventType: type }) => metrics.signals.inc({ type }));
  events.forEach((event) => countEvent(metrics, event, reaction));
}

/** Business facts have metrics of their own. */
function isAlarming({ eventType }: DecidedTurn['reaction']['signals'][number]): boolean {
  return !eventType.startsWith('IC.');
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
