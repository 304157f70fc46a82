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

/**
 * Publishes what was committed to the outbox, right after the commit: one send in flight, the next takes all that waits. What it cannot publish, and what a
 * crash leaves, is the relay's; so a caller never waits for the bus.
 */
export class OutcomePublisher {
  private waiting: BusMessage[] = [];
  private sending: Promise<void> | null = null;

  constructor(private readonly parts: OutcomePublisherParts) {}

  /** Takes committed messages on. */
  publish(messages: readonly BusMessage[]): void {
    this.waiting.push(...messages);
    // Not at once: a round that has nothing to wait for would be over before it is noted as running, and no other would ever begin.
    this.sending ??= Promise.resolve().then(() => this.sendAll());
  }

  /** Waits until all is sent that was taken on. */
  async close(): Promise<void> {
    await this.sending;
  }

  private async sendAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0);
      try {
        await this.parts.bus.publish(batch);
        await this.parts.outbox.markPublished(batch.map(({ eventId }) => eventId));
      } catch (error) {
        this.parts.logger.warn('outcomes.left_to_relay', { error, messages: batch.length });
      }
    }
    this.sending = null;
  }
}
