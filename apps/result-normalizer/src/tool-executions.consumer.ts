import { Controller, Inject } from '@nestjs/common';
import { type ToolResult, topics } from '@latch/contracts';
import { type BatchContext, type Bus, OnTopics, type Received } from '@latch/messaging';
import { normalize } from './normalize.ts';

/** Token of what the consumer works with. */
export const normalizerToken = Symbol('normalizer');

/** The way out, and who is told what was read. */
export type Normalizer = {
  readonly bus: Pick<Bus, 'publish'>;
  readonly onResult: (result: ToolResult) => void;
};

/**
 * Reads what became of each call. It keeps nothing: a batch counts as handled when its results are published, and a batch that comes again gives the same
 * results under the same ids.
 */
@Controller()
export class ToolExecutionsConsumer {
  constructor(@Inject(normalizerToken) private readonly normalizer: Normalizer) {}

  @OnTopics(topics.toolExecutions)
  async onBatch(batch: readonly Received[], _context: BatchContext): Promise<void> {
    const normalized = batch.map(normalize);
    await this.normalizer.bus.publish(normalized.flatMap(({ messages }) => messages));
    for (const { result } of normalized) this.normalizer.onResult(result);
  }
}
