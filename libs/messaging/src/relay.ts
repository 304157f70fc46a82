import { type BusMessage, TerminalError } from '@latch/contracts';
import { type Logger, type Metrics } from '@latch/observability';
import { type Bus } from './bus.ts';
import { reasonOf, toUnsentDeadLetters } from './dead-letter.ts';
import { backoffMs, pause } from './pause.ts';

/** Where committed messages stand that are not known to be published; the event store has one per producer. */
export type OutboxReader = {
  /** The oldest first, in order per conversation. */
  readPending(of: { readonly olderThanMs: number; readonly limit: number }): Promise<readonly BusMessage[]>;
  markPublished(eventIds: readonly string[]): Promise<void>;
  /** All that stands there, the young included. */
  measure(): Promise<{ readonly pending: number; readonly oldestAgeSeconds: number }>;
};

type Options = {
  readonly outbox: OutboxReader;
  readonly bus: Pick<Bus, 'publish'>;
  /** Younger messages are left alone: their batch is publishing them right now. @default 5_000 */
  readonly olderThanMs?: number;
  /** Between two looks. @default 1_000 */
  readonly everyMs?: number;
  readonly logger: Logger;
  readonly metrics?: Pick<Metrics, 'outboxPending' | 'outboxOldestAge' | 'deadLetters'>;
};

const limit = 500;

/**
 * Publishes what has stood in the outbox for too long: messages that were committed with their events and that nobody is known to have published, because
 * the process died, the bus was away, or the message was published and its row not deleted yet. So a message may be published again; that does no harm,
 * nor do two instances that publish the same one, since consumers are idempotent by event id.
 *
 * A message that the bus can never take (too large) becomes a dead letter, for that tenant to find, and the others go on: no message stops a relay.
 */
export class Relay {
  private readonly stopped = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly options: Options) {}

  /** Begins to look, now and then every `everyMs`. */
  start(): void {
    this.running = this.run();
  }

  /** Lets the current look finish. */
  async stop(): Promise<void> {
    this.stopped.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopped;
    let failures = 0;
    while (!signal.aborted) {
      try {
        await this.publishPending();
        failures = 0;
      } catch (error) {
        failures += 1;
        this.options.logger.warn('relay.failed', { error, attempt: failures });
      }
      await pause(failures === 0 ? (this.options.everyMs ?? 1_000) : backoffMs(failures) + 1_000, signal);
    }
  }

  private async publishPending(): Promise<void> {
    const { outbox, olderThanMs = 5_000, logger } = this.options;
    for (;;) {
      await this.measure();
      const pending = await outbox.readPending({ olderThanMs, limit });
      if (pending.length === 0) return;
      await this.publish(pending);
      logger.info('relay.published', { messages: pending.length });
      if (pending.length < limit || this.stopped.signal.aborted) return;
    }
  }

  private async measure(): Promise<void> {
    const { outbox, metrics } = this.options;
    if (metrics === undefined) return;
    const { pending, oldestAgeSeconds } = await outbox.measure();
    metrics.outboxPending.set({}, pending);
    metrics.outboxOldestAge.set({}, oldestAgeSeconds);
  }

  /** In order, by halves down to the one message that the bus can never take. */
  private async publish(messages: readonly BusMessage[]): Promise<void> {
    const [first, ...others] = messages;
    if (first === undefined) return;
    try {
      await this.options.bus.publish(messages);
    } catch (error) {
      if (!(error instanceof TerminalError)) throw error;
      if (others.length === 0) return this.bury(first, error);
      const half = Math.ceil(messages.length / 2);
      await this.publish(messages.slice(0, half));
      return this.publish(messages.slice(half));
    }
    await this.options.outbox.markPublished(messages.map(({ eventId }) => eventId));
  }

  private async bury(message: BusMessage, error: TerminalError): Promise<void> {
    const { outbox, bus, logger, metrics } = this.options;
    const { topic, key, eventId } = message;
    const [whole, short] = toUnsentDeadLetters(message, reasonOf(error));
    try {
      await bus.publish([whole]);
    } catch (refusal) {
      if (!(refusal instanceof TerminalError)) throw refusal;
      await bus.publish([short]);
    }
    await outbox.markPublished([eventId]);
    metrics?.deadLetters.inc({ topic });
    logger.error('relay.dead_letter', { error, topic, conversation_key: key, event_id: eventId });
  }
}
