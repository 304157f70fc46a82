import { describe, expect, it } from '@jest/globals';
import { type BusMessage, RetryableError, TerminalError } from '@latch/contracts';
import { rawMessage } from './fixtures/messages.ts';
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
