import { describe, expect, it } from '@jest/globals';
import { type BusMessage, RetryableError, TerminalError, topics } from '@latch/contracts';
import { rawMessage } from './fixtures/messages.ts';
import { KafkaRefused } from './kafka-refusal.ts';
import { PublishQueue } from './publish-queue.ts';

const numbered = (from: number, to: number): BusMessage[] =>
  Array.from({ length: to - from }, (_, n) => rawMessage({ key: 'k', value: String(from + n) }));

function queueOf(send: (messages: readonly BusMessage[]) => Promise<void>, maxSendBytes = 1_000): PublishQueue {
  return new PublishQueue({ send, maxSendBytes, maxWaiting: 50 });
}

describe('the publish queue', () => {
  it('sends alone what comes alone, and together what came while a send was in flight', async () => {
    const sends: string[][] = [];
    const queue = queueOf(async (messages) => {
      sends.push(messages.map(({ value }) => value));
      await new Promise((resolve) => setTimeout(resolve, 5));
    });
    const first = queue.add(numbered(0, 1));
    await new Promise(setImmediate);
    await Promise.all([first, ...[1, 2, 3].map((n) => queue.add(numbered(n, n + 1)))]);
    expect(sends).toEqual([['0'], ['1', '2', '3']]);
  });

  it('keeps a send below its bytes, in order, and lets a larger single message go alone', async () => {
    const sends: number[][] = [];
    const queue = queueOf(async (messages) => {
      sends.push(messages.map(({ value }) => value.length));
      await Promise.resolve();
    }, 100);
    await queue.add([40, 40, 40, 500, 10].map((length) => rawMessage({ key: 'k', value: 'x'.repeat(length) })));
    expect(sends).toEqual([[40, 40], [40], [500], [10]]);
  });

  it('tells each publisher of its own failure only', async () => {
    const queue = queueOf(async (messages) => {
      await Promise.resolve();
      if (messages.some(({ value }) => value === '1'))
        throw new TerminalError('too large', { code: 'message.invalid' });
    });
    const results = await Promise.allSettled([0, 1, 2].map((n) => queue.add(numbered(n, n + 1))));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('refuses a message that is too large at once, sends nothing of its publisher, and lets the others go', async () => {
    const sent: string[] = [];
    const queue = queueOf(async (messages) => {
      sent.push(...messages.map(({ value }) => value));
      await Promise.resolve();
    });
    const tooLarge = rawMessage({ key: 'k', value: 'x'.repeat(1_048_577) });
    const results = await Promise.allSettled([
      queue.add(numbered(0, 1)),
      queue.add([...numbered(1, 2), tooLarge]),
      queue.add(numbered(2, 3)),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { name: 'TerminalError' } });
    expect(sent).toEqual(['0', '2']);
  });

  it('sends nothing of a publisher after the message of his that could not be sent, so that no key is out of order', async () => {
    for (const error of [new TerminalError('never', { code: 'message.invalid' }), new RetryableError('away')]) {
      const sent: string[] = [];
      const queue = queueOf(async (messages) => {
        await Promise.resolve();
        if (messages.some(({ value }) => value.startsWith('1'))) throw error;
        sent.push(...messages.map(({ value }) => value));
      }, 3);
      const failing = queue.add(['0', '1', '2', '3', '4', '5'].map((value) => rawMessage({ key: 'k', value })));
      const other = queue.add([rawMessage({ key: 'k', value: '77' }), rawMessage({ key: 'k', value: '88' })]);
      await expect(failing).rejects.toBe(error);
      await other;
      expect(sent.filter((value) => !['0', '77', '88'].includes(value))).toEqual([]);
    }
  });

  it('keeps a topic that may not be written to from taking the messages to others with it', async () => {
    const sends: string[][] = [];
    const queue = queueOf(async (messages) => {
      await Promise.resolve();
      sends.push(messages.map(({ value }) => value));
      if (messages.some(({ topic }) => topic === topics.signals))
        throw new RetryableError('refused', { cause: new KafkaRefused('it lacks the right Write') });
    });
    const told = (value: string): BusMessage => ({ ...rawMessage({ key: 'k', value }), topic: topics.signals });
    const said = (value: string): BusMessage => ({ ...rawMessage({ key: 'k', value }), topic: topics.turns });
    const adds = [[said('0')], [told('1')], [said('2'), told('3'), said('4')], [said('5')]];
    const results = await Promise.allSettled(adds.map((messages) => queue.add(messages)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(sends).toEqual([
      ['0', '1', '2', '3', '4', '5'],
      ['0', '2', '4', '5'],
      ['1', '3'],
    ]);
  });

  it('fails the whole send when the bus is away, and goes on with the next', async () => {
    let isAway = true;
    const queue = queueOf(() => (isAway ? Promise.reject(new RetryableError('away')) : Promise.resolve()));
    await expect(queue.add(numbered(0, 2))).rejects.toBeInstanceOf(RetryableError);
    isAway = false;
    await queue.add(numbered(2, 4));
  });

  it('refuses at once when too many wait', async () => {
    const queue = queueOf(() => new Promise(() => undefined));
    void queue.add(numbered(0, 40));
    await expect(queue.add(numbered(40, 60))).rejects.toBeInstanceOf(RetryableError);
  });

  it('has drained when the last send ended', async () => {
    let sent = 0;
    const queue = queueOf(async (messages) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      sent += messages.length;
    });
    void queue.add(numbered(0, 3));
    await queue.drained();
    expect(sent).toBe(3);
  });
});
