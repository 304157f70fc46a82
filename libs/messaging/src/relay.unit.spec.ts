import { describe, expect, it } from '@jest/globals';
import { type BusMessage, DeadLetter, EventEnvelope, RetryableError, TerminalError, topics } from '@latch/contracts';
import { createMetrics } from '@latch/observability';
import { eventually } from '@latch/testing';
import { toBusMessage } from './envelope.ts';
import { rawMessage, recordingLogger, signal } from './fixtures/messages.ts';
import { MemoryBus } from './memory-bus.ts';
import { type OutboxReader, Relay } from './relay.ts';

function outboxOf(messages: BusMessage[]): OutboxReader & { left: () => string[] } {
  let pending = messages;
  return {
    measure: () => Promise.resolve({ pending: pending.length + 2, oldestAgeSeconds: 61 }),
    left: () => pending.map(({ eventId }) => eventId),
    readPending: ({ limit }) => Promise.resolve(pending.slice(0, limit)),
    markPublished: (ids) => {
      pending = pending.filter(({ eventId }) => !ids.includes(eventId));
      return Promise.resolve();
    },
  };
}
const messages = (count: number): BusMessage[] =>
  Array.from({ length: count }, (_, n) => rawMessage({ key: 'k', value: String(n) }));

describe('the relay', () => {
  it('publishes everything that was left, in order, and marks it', async () => {
    const outbox = outboxOf(messages(1_203));
    const published: string[] = [];
    const relay = new Relay({
      outbox,
      bus: {
        publish: (batch) => {
          published.push(...batch.map(({ value }) => value));
          return Promise.resolve();
        },
      },
      everyMs: 5,
      logger: recordingLogger(),
    });
    relay.start();
    await eventually(() => expect(outbox.left()).toEqual([]));
    await relay.stop();
    expect(published).toEqual(messages(1_203).map(({ value }) => value));
  });

  it('marks nothing that the bus did not take, and tries again', async () => {
    const outbox = outboxOf(messages(3));
    let isAway = true;
    let tries = 0;
    const relay = new Relay({
      outbox,
      bus: {
        publish: () => {
          tries += 1;
          return isAway ? Promise.reject(new RetryableError('away')) : Promise.resolve();
        },
      },
      everyMs: 5,
      logger: recordingLogger(),
    });
    relay.start();
    await eventually(() => expect(tries).toBe(1));
    expect(outbox.left()).toHaveLength(3);
    isAway = false;
    await eventually(() => expect(outbox.left()).toEqual([]));
    await relay.stop();
  });

  it('stops at once, also between two looks', async () => {
    const relay = new Relay({
      outbox: outboxOf([]),
      bus: { publish: () => Promise.resolve() },
      everyMs: 60_000,
      logger: recordingLogger(),
    });
    relay.start();
    await new Promise(setImmediate);
    const startedAt = Date.now();
    await relay.stop();
    expect(Date.now() - startedAt).toBeLessThan(20_000);
  });

  it('tells how much stands in the whole outbox, and for how long the oldest, also when nothing is to be done', async () => {
    const metrics = createMetrics({ service: 'relay-spec', version: '1' });
    const relay = new Relay({
      outbox: outboxOf([]),
      bus: { publish: () => Promise.resolve() },
      everyMs: 5,
      logger: recordingLogger(),
      metrics,
    });
    relay.start();
    await eventually(async () => {
      const text = await metrics.render();
      expect(text).toMatch(/latch_outbox_pending(\{.*\})? 2\n/);
      expect(text).toMatch(/latch_outbox_oldest_age_seconds(\{.*\})? 61\n/);
    });
    await relay.stop();
  });
});

describe('one message in the outbox that the bus can never take', () => {
  const large = (megabytes: number): BusMessage => {
    const envelope = { ...signal('large', 1), payload: { text: 'x'.repeat(megabytes * 1_048_576) } };
    return toBusMessage(topics.responses, envelope, {});
  };
  const neighbors = (): BusMessage[] =>
    ['a', 'large', 'b', 'large'].map((name, n) => toBusMessage(topics.responses, signal(name, n + 2)));

  it('stops nobody: the others are published in order, and it becomes a dead letter of its tenant', async () => {
    const [before, ...after] = neighbors();
    if (before === undefined) throw new Error('no neighbors');
    for (const megabytes of [1, 3]) {
      const outbox = outboxOf([before, large(megabytes), ...after]);
      const bus = new MemoryBus({ partitions: 1, logger: recordingLogger() });
      const taken: { topic: string; value: string }[] = [];
      await bus.consume({
        groupId: 'spec',
        topics: [topics.responses, topics.deadLetters],
        handle: async (batch) => {
          taken.push(...batch.map(({ topic, value }) => ({ topic, value: value.toString() })));
          await Promise.resolve();
        },
        onCrash: () => undefined,
      });
      const relay = new Relay({ outbox, bus, everyMs: 5, logger: recordingLogger() });
      relay.start();
      await eventually(() => expect(taken).toHaveLength(5));
      await relay.stop();
      await bus.close();
      const sent = taken.filter(({ topic }) => topic === topics.responses).map(({ value }) => value);
      expect(sent).toEqual([before, ...after].map(({ value }) => value));
      expect(outbox.left()).toEqual([]);
      const letters = taken.filter(({ topic }) => topic === topics.deadLetters);
      const envelope = EventEnvelope.parse(JSON.parse(letters[0]?.value ?? ''));
      expect(envelope).toMatchObject({ tenant_id: 'acme', event_type: 'NOC.DEAD_LETTER', producer: 'messaging-spec' });
      expect(DeadLetter.parse(envelope.payload)).toMatchObject({
        source: { topic: topics.responses, offset: '-1', headers: { ce_id: 'large-1' } },
        reason: { code: 'message.invalid' },
        consumer: 'messaging-spec.relay',
      });
    }
  });

  it('leaves only its beginning where the dead-letter topic refuses the whole', async () => {
    const outbox = outboxOf([large(1)]);
    const published: BusMessage[] = [];
    const relay = new Relay({
      outbox,
      bus: {
        publish: (batch) => {
          if (batch.some(({ value }) => value.length > 500_000))
            return Promise.reject(new TerminalError('no', { code: 'message.invalid' }));
          published.push(...batch);
          return Promise.resolve();
        },
      },
      everyMs: 5,
      logger: recordingLogger(),
    });
    relay.start();
    await eventually(() => expect(outbox.left()).toEqual([]));
    await relay.stop();
    expect(published.map(({ topic }) => topic)).toEqual([topics.deadLetters]);
    const letter = EventEnvelope.parse(JSON.parse(published[0]?.value ?? ''));
    expect(letter.payload).toMatchObject({ truncated_from_bytes: expect.any(Number) });
  });

  it('stays where it is while the bus is away', async () => {
    const outbox = outboxOf([large(1)]);
    let tries = 0;
    const relay = new Relay({
      outbox,
      bus: {
        publish: ([message]) => {
          tries += 1;
          const isLetter = message?.topic === topics.deadLetters;
          return Promise.reject(
            isLetter ? new RetryableError('away') : new TerminalError('no', { code: 'message.invalid' }),
          );
        },
      },
      everyMs: 5,
      logger: recordingLogger(),
    });
    relay.start();
    await eventually(() => expect(tries).toBeGreaterThanOrEqual(2));
    await relay.stop();
    expect(outbox.left()).toHaveLength(1);
  });
});
