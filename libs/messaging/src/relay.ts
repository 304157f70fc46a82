import { type BusMessage } from '@latch/contracts';
import { type Logger, type Metrics } from '@latch/observability';
import { type Bus } from './bus.ts';
import { backoffMs, pause } from './pause.ts';

/** Where committed messages stand that are not known to be published; the event store has one per producer. */
export type OutboxReader = {
  /** The oldest first, in order per conversation. */
  readPending(of: { readonly olderThanMs: number; readonly limit: number }): Promise<readonly BusMessage[]>;
  markPublished(eventIds: readonly string[]): Promise<void>;
};

type Options = {
  readonly outbox: OutboxReader;
  readonly bus: Pick<Bus, 'publish'>;
  /** Younger messages are left alone: their batch is publishing them right now. @default 5_000 */
  readonly olderThanMs?: number;
  /** Between two looks. @default 1_000 */
  readonly everyMs?: number;
  readonly logger: Logger;
  readonly metrics?: Pick<Metrics, 'outboxPending'>;
};

const limit = 500;

/**
 * Publishes what a crash left in the outbox: messages that were committed with their events and whose process died before it published them. Runs in
 * every instance; two that publish the same message do no harm, since consumers are idempotent by event id.
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
    const { outbox, bus, olderThanMs = 5_000, logger, metrics } = this.options;
    for (;;) {
      const pending = await outbox.readPending({ olderThanMs, limit });
      metrics?.outboxPending.set({}, pending.length);
      if (pending.length === 0) return;
      await bus.publish(pending);
      await outbox.markPublished(pending.map(({ eventId }) => eventId));
      logger.info('relay.published', { messages: pending.length });
      if (pending.length < limit || this.stopped.signal.aborted) return;
    }
  }
}
