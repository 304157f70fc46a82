import { Controller, Inject } from '@nestjs/common';
import { topics } from '@latch/contracts';
import { type BatchContext, OnTopics, type Received } from '@latch/messaging';
import { judgeBatch, type Judging } from './judge-turns.ts';

/** Token of what judging needs. */
export const judgingToken = Symbol('judging');

/** Answers and the tool results that they report share one consumer and one batch, so that most turns are judged in the batch that brings them. */
@Controller()
export class AnswersConsumer {
  constructor(@Inject(judgingToken) private readonly judging: Judging) {}

  @OnTopics(topics.toolResults, topics.responses)
  async onBatch(batch: readonly Received[], _context: BatchContext): Promise<void> {
    await judgeBatch(this.judging, batch);
  }
}
