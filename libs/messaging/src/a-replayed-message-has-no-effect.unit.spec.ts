import { describe, expect, it } from '@jest/globals';
import { type BusMessage, topics } from '@latch/contracts';
import { consumeBatch } from './consume-batch.ts';
import { makeEnvelope, toBusMessage } from './envelope.ts';
import { recordingLogger } from './fixtures/messages.ts';
import { followTopics } from './follow-topics.ts';
import { MemoryBus } from './memory-bus.ts';
import { parseRecord } from './parse-record.ts';
import { payloadSchemas } from './payload-schemas.ts';
import { isReplay, markAsReplay, replayHeader } from './replay-mark.ts';

const run = { runId: 'run-1', at: '2026-11-30T12:00:00.000Z' };

function signal(eventId: string): BusMessage {
  const envelope = makeEnvelope({
    ...{ eventType: 'IC.TRANSACTION_STARTED', payload: { tool: 'track' }, contractVersion: 'event-envelope-v1' },
    ...{ tenantId: 'default', agentId: 'shop', sessionId: 's1', conversationKey: 'default:shop:s1' },
    ...{ traceId: 'a'.repeat(32), eventId, producer: 'spec', timestamp: '2026-11-01T12:00:00.000Z' },
  });
  return toBusMessage(topics.signals, envelope);
}

async function until(isDone: () => boolean): Promise<void> {
  for (let tries = 0; tries < 200 && !isDone(); tries += 1) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('a message that a replay publishes again', () => {
  it('keeps its id, its key and what it says, and is marked in headers and envelope', () => {
    const first = signal('event-1');
    const again = markAsReplay(first, run);
    expect(again).toMatchObject({
      eventId: 'event-1',
      key: first.key,
      headers: { ...first.headers, [replayHeader]: 'run-1' },
    });
    const { replay, ...rest } = JSON.parse(again.value);
    expect(rest).toEqual(JSON.parse(first.value));
    expect(replay).toEqual({ run_id: 'run-1', reemitted_at: run.at });
  });

  it('is known by its header, and by its envelope where the headers were lost; nothing else is taken for one', () => {
    const { value, headers } = markAsReplay(signal('event-1'), run);
    expect(isReplay({ headers, value: Buffer.from(value) })).toBe(true);
    expect(isReplay({ headers: {}, value: Buffer.from(value) })).toBe(true);
    const plain = signal('event-2');
    expect(isReplay({ headers: plain.headers, value: Buffer.from(plain.value) })).toBe(false);
    const said = Buffer.from('{"payload":{"message":"\\"replay\\""},"kind":"replay"}');
    expect(isReplay({ headers: {}, value: said })).toBe(false);
  });

  it('is read like the first one by whoever wants it', () => {
    const { topic, key, value, headers } = markAsReplay(signal('event-1'), run);
    const record = { topic, partition: 0, offset: '0', key, value: Buffer.from(value), headers, timestampMs: 0 };
    expect(parseRecord(record, payloadSchemas)).toMatchObject({
      ok: true,
      value: { envelope: { event_id: 'event-1' } },
    });
  });

  it('is handled by no consumer and shown by no follower, and holds nothing up', async () => {
    const bus = new MemoryBus({ partitions: 1, logger: recordingLogger() });
    const [handled, followed]: [string[], string[]] = [[], []];
    await consumeBatch({
      ...{ bus, service: 'spec', groupId: 'spec', topics: [topics.signals], logger: recordingLogger() },
      metrics: { deadLetters: { inc: () => undefined }, consumerLag: { set: () => undefined } },
      onCrash: () => undefined,
      handle: (batch) => Promise.resolve(void handled.push(...batch.map(({ envelope }) => envelope.event_id))),
    });
    await followTopics({
      ...{ bus, service: 'spec', topics: [topics.signals], logger: recordingLogger(), onCrash: () => undefined },
      onRecord: ({ headers }) => followed.push(headers['ce_id'] ?? ''),
      from: 'earliest',
    });
    await bus.publish([markAsReplay(signal('old'), run), signal('new')]);
    await until(() => handled.length > 0 && followed.length > 0);
    expect([handled, followed]).toEqual([['new'], ['new']]);
    await bus.close();
  });
});
