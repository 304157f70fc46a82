import { Controller, Inject } from '@nestjs/common';
import { topics } from '@latch/contracts';
import { type BatchContext, OnTopics, type Received } from '@latch/messaging';
import { type Work, workOf } from './work.ts';

/** Token of the batch handler. */
export const batchHandlerToken = Symbol('handle-batch');

/**
 * Turns and tool results are inputs of one machine, so they share one consumer and one batch: a result and the next message of the same
 * conversation never race in two database transactions.
 */
@Controller()
export class ConversationsConsumer {
  constructor(@Inject(batchHandlerToken) private readonly handle: (work: readonly Work[]) => Promise<void>) {}

  @OnTopics(topics.turns, topics.toolResults)
  async onBatch(batch: readonly Received[], _context: BatchContext): Promise<void> {
    await this.handle(batch.map(workOf));
  }
}
