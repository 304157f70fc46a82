import { Alarm, topics } from '@latch/contracts';
import {
  type Bus,
  type BusRecord,
  type Consumption,
  followTopics,
  parseRecord,
  payloadSchemas,
  type Received,
} from '@latch/messaging';
import { type Logger, type Metrics } from '@latch/observability';
import { type LiveView } from './live-view.ts';

type Parts = {
  readonly bus: Pick<Bus, 'consume'>;
  readonly view: LiveView;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'consumerLag'>;
  readonly onCrash: (error: unknown) => void;
};

/** Signals are read from the beginning of the topic, since an alarm that was raised days ago may still be; large batches make that quick. */
const maxBatch = 512;

/** Brings signals and dead letters into the view. Every instance reads all of them. */
export function consumeSignals({ bus, view, logger, metrics, onCrash }: Parts): Promise<Consumption> {
  return followTopics({
    bus,
    service: 'console',
    topics: [topics.signals, topics.deadLetters],
    from: 'earliest',
    maxBatch,
    logger,
    onCrash,
    onLag: (topic, messages) => {
      metrics.consumerLag.set({ group: 'console', topic }, messages);
      view.waiting.set(topic, messages);
    },
    onRecord: (record) => take(record, view, logger),
  });
}

function take(record: BusRecord, view: LiveView, logger: Logger): void {
  const received = parseRecord(record, payloadSchemas);
  if (received.ok) return keep(received.value, view);
  const { code, message } = received.error;
  logger.warn('signal.unreadable', {
    code,
    message,
    topic: record.topic,
    partition: record.partition,
    offset: record.offset,
  });
}

function keep(received: Received, { signals, alarms, deadLetters }: LiveView): void {
  const { record, envelope } = received;
  if (record.topic === topics.deadLetters) return deadLetters.add(received);
  if (!signals.add(envelope)) return;
  const alarm = Alarm.safeParse(envelope.payload['alarm']);
  if (alarm.success) alarms.apply(alarm.data, envelope);
}
