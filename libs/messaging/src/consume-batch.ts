import { type BusMessage, RetryableError, TerminalError, type Topic } from '@latch/contracts';
import { type Logger, type Metrics } from '@latch/observability';
import { type BatchContext, type Bus, type BusRecord, type ConsumeOptions, type Consumption } from './bus.ts';
import { type FailedRecord, toDeadLetter, toShortDeadLetter } from './dead-letter.ts';
import { handlePersistently, type Poison } from './handle-persistently.ts';
import { parseRecord, type Received } from './parse-record.ts';
import { backoffMs, pause } from './pause.ts';
import { payloadSchemas } from './payload-schemas.ts';
import { isReplay } from './replay-mark.ts';

/** What a service's consumer is made of. */
export type ConsumeBatchOptions = Pick<ConsumeOptions, 'groupId' | 'from' | 'maxBatch' | 'onCrash'> & {
  readonly bus: Bus;
  /** Name of the service, as it stands in its dead letters. */
  readonly service: string;
  readonly topics: readonly Topic[];
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'deadLetters' | 'consumerLag'>;
  /**
   * Handles one batch: parsed, in order per conversation, never two at a time. Throw RetryableError when infrastructure is broken, TerminalError when the
   * messages can never be handled. It must not mind a repeated message: delivery is at least once.
   */
  handle(batch: readonly Received[], context: BatchContext): Promise<void>;
  /** Told of a message on which `handle` failed alone, when its dead letter is written: for whoever waits for an answer to it. */
  onPoison?(poison: Poison): Promise<void>;
};

/**
 * Consumes topics: reads each record, sends a bad one to the dead letters with its original bytes and the reason, and hands the rest, in order per
 * conversation, to `handle`. A message that its handler cannot take, and it alone, becomes a dead letter too. No message blocks a partition, and none is
 * lost: a record counts as handled only when its handling or its dead letter is done. What a replay publishes again is left alone: it has no effect.
 */
export function consumeBatch(options: ConsumeBatchOptions): Promise<Consumption> {
  const { bus, groupId, metrics } = options;
  return bus.consume({
    groupId,
    topics: options.topics,
    from: options.from,
    maxBatch: options.maxBatch,
    onCrash: options.onCrash,
    onLag: (topic, messages) => metrics.consumerLag.set({ group: groupId, topic }, messages),
    handle: (batch, context) => handleRecords(batch, context, options),
  });
}

async function handleRecords(
  batch: readonly BusRecord[],
  context: BatchContext,
  options: ConsumeBatchOptions,
): Promise<void> {
  const { good, bad } = readRecords(batch);
  const [poison] = await Promise.all([
    good.length === 0 ? [] : handlePersistently(good, { ...options, context }),
    bury(bad, context, options),
  ]);
  const failed = poison.map(({ received, reason, attempts }) => ({ record: received.record, reason, attempts }));
  await bury(failed, context, options);
  for (const one of poison) await tell(one, options);
}

/** Whoever is told may fail on the message as its handler did. Its dead letter is written: it must not hold up what comes behind it. */
async function tell(poison: Poison, { onPoison, logger }: ConsumeBatchOptions): Promise<void> {
  try {
    await onPoison?.(poison);
  } catch (error) {
    if (error instanceof RetryableError) throw error;
    logger.error('consumer.poison_not_told', { error, event_id: poison.received.envelope.event_id });
  }
}

function readRecords(batch: readonly BusRecord[]): {
  readonly good: readonly Received[];
  readonly bad: readonly FailedRecord[];
} {
  const good: Received[] = [];
  const bad: FailedRecord[] = [];
  for (const record of batch) {
    if (isReplay(record)) continue;
    const parsed = parseRecord(record, payloadSchemas);
    if (parsed.ok) good.push(parsed.value);
    else bad.push({ record, reason: parsed.error, attempts: 1 });
  }
  return { good, bad };
}

/** Publishes dead letters, again and again while the bus is away: a message must not vanish because it is bad. */
async function bury(
  failed: readonly FailedRecord[],
  context: BatchContext,
  options: ConsumeBatchOptions,
): Promise<void> {
  await Promise.all(failed.map((one) => buryOne(one, context, options)));
}

async function buryOne(failed: FailedRecord, context: BatchContext, options: ConsumeBatchOptions): Promise<void> {
  try {
    await publishPersistently(toDeadLetter(failed, options), context, options);
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error;
    await publishPersistently(toShortDeadLetter(failed, options), context, options);
  }
  const { topic, partition, offset } = failed.record;
  options.metrics.deadLetters.inc({ topic });
  options.logger.error('consumer.dead_letter', {
    ...failed.reason,
    topic,
    partition,
    offset,
    attempts: failed.attempts,
  });
}

async function publishPersistently(
  message: BusMessage,
  context: BatchContext,
  { bus, logger }: ConsumeBatchOptions,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    context.progress();
    try {
      return await bus.publish([message]);
    } catch (error) {
      if (context.signal.aborted || !(error instanceof RetryableError)) throw error;
      logger.warn('consumer.dead_letter_not_published', { error, attempt });
      await pause(backoffMs(attempt), context.signal);
      if (context.signal.aborted) throw error;
    }
  }
}
