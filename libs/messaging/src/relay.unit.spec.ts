import { describe, expect, it } from '@jest/globals';
import { type BusMessage, RetryableError } from '@latch/contracts';
import { eventually } from '@latch/testing';
import { rawMessage, recordingLogger } from './fixtures/messages.ts';
import { type OutboxReader, Relay } from './relay.ts';

function outboxOf(messages: BusMessage[]): OutboxReader & { left: () => string[] } {
  let pending = messages;
  return {
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
  it('publishes everything that a crash left, in order, and marks it', async () => {
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
    expect(Date.now() - startedAt).toBeLessThan(1_000);
  });
});
