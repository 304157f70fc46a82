import { type Topic } from '@latch/contracts';
import { type Batch, type IHeaders, type KafkaMessage } from 'kafkajs';
import { type BusRecord } from './bus.ts';

/** Turns what kafkajs fetched from one partition into records of ours. A tombstone has an empty value. */
export function toBusRecords(batch: Batch, topic: Topic): BusRecord[] {
  return batch.messages.map((message: KafkaMessage) => ({
    topic,
    partition: batch.partition,
    offset: message.offset,
    key: message.key === null ? null : message.key.toString('utf8'),
    value: message.value ?? Buffer.alloc(0),
    headers: readHeaders(message.headers),
    timestampMs: Number(message.timestamp),
  }));
}

function readHeaders(headers: IHeaders | undefined): Record<string, string> {
  const read: [string, string][] = [];
  for (const [name, value] of Object.entries(headers ?? {})) {
    const last = Array.isArray(value) ? value.at(-1) : value;
    if (last !== undefined) read.push([name, last.toString()]);
  }
  return Object.fromEntries(read);
}
