import { Controller, Inject } from '@nestjs/common';
import { topics } from '@latch/contracts';
import { type BatchContext, OnTopics, type Received } from '@latch/messaging';

/** Token of the intake. */
export const intakeToken = Symbol('receive-invocations');

/**
 * Takes announcements off the bus. A tool call is never awaited here: Kafka hands over nothing more from a broker until the whole last fetch is handled, and
 * one slow tool would hold up every conversation.
 */
@Controller()
export class ToolInvocationsConsumer {
  constructor(@Inject(intakeToken) private readonly receive: (batch: readonly Received[]) => Promise<void>) {}

  @OnTopics(topics.toolInvocations)
  async onBatch(batch: readonly Received[], _context: BatchContext): Promise<void> {
    await this.receive(batch);
  }
}
