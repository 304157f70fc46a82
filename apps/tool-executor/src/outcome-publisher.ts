import { type BusMessage } from '@latch/contracts';
import { type EventStore } from '@latch/event-store';
import { type Bus } from '@latch/messaging';
import { type Logger } from '@latch/observability';

/** What the publisher needs. */
export type OutcomePublisherParts = {
  readonly bus: Pick<Bus, 'publish'>;
  readonly outbox: Pick<EventStore['outbox'], 'markPublished'>;
  readonly logger: Logger;
};

/** How long the outbox rows of published messages may stay. Far less than the age from which the relay takes a row for left behind. */
const forgetAfterMs = 250;

/**
 * Publishes what was committed to the outbox, right after the commit: one send in flight, the next takes all that waits. What it cannot publish, and what a
 * crash leaves, is the relay's; so a caller never waits for the bus. The rows of what was published are deleted together, a little later: one statement for
 * many calls, out of the way of the next.
 */
export class OutcomePublisher {
  private waiting: BusMessage[] = [];
  private sending: Promise<void> | null = null;
  private published: string[] = [];
  private forgetting: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: OutcomePublisherParts) {}

  /** Takes committed messages on. */
  publish(messages: readonly BusMessage[]): void {
    this.waiting.push(...messages);
    // Not at once: a round that has nothing to wait for would be over before it is noted as running, and no other would ever begin.
    this.sending ??= Promise.resolve().then(() => this.sendAll());
  }

  /** Waits until all is sent that was taken on, and deleted from the outbox. */
  async close(): Promise<void> {
    await this.sending;
    this.forget();
    await this.forgetting;
  }

  private async sendAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0);
      try {
        await this.parts.bus.publish(batch);
        this.published.push(...batch.map(({ eventId }) => eventId));
        this.timer ??= setTimeout(() => this.forget(), forgetAfterMs);
      } catch (error) {
        this.parts.logger.warn('outcomes.left_to_relay', { error, messages: batch.length });
      }
    }
    this.sending = null;
  }

  private forget(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const eventIds = this.published.splice(0);
    if (eventIds.length === 0) return;
    this.forgetting = this.forgetting
      .then(() => this.parts.outbox.markPublished(eventIds))
      .catch((error: unknown) =>
        this.parts.logger.warn('outcomes.left_to_relay', { error, messages: eventIds.length }),
      );
  }
}
