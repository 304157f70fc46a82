import { topics } from '@latch/contracts';
import { type Logger } from '@latch/observability';
import { type Bus } from './bus.ts';
import { toBusMessage } from './envelope.ts';
import { type ReceivedEnvelope } from './parse-record.ts';

/**
 * Publishes IC, NOC and GRL events that no outbox carries, such as a breaker that opened. It never throws and need not be awaited: a signal that is lost is
 * logged, and must not stop the work that it tells about. A fact that must not be lost belongs into the outbox.
 */
export async function emitSignals(
  { bus, logger }: { readonly bus: Pick<Bus, 'publish'>; readonly logger: Pick<Logger, 'warn'> },
  signals: readonly ReceivedEnvelope[],
): Promise<void> {
  try {
    await bus.publish(signals.map((signal) => toBusMessage(topics.signals, signal)));
  } catch (error) {
    logger.warn('signals.not_published', { error, types: signals.map(({ event_type }) => event_type) });
  }
}
