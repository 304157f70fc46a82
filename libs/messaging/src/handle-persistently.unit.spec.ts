import { describe, expect, it } from '@jest/globals';
import { RetryableError, TerminalError, topics } from '@latch/contracts';
import { type BatchContext } from './bus.ts';
import { toBusMessage } from './envelope.ts';
import { recordingLogger, recordOf, signal } from './fixtures/messages.ts';
import { handlePersistently } from './handle-persistently.ts';
import { parseRecord, type Received } from './parse-record.ts';
import { payloadSchemas } from './payload-schemas.ts';

function received(conversation: string, n: number): Received {
  const parsed = parseRecord(recordOf(toBusMessage(topics.signals, signal(conversation, n)).value), payloadSchemas);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
}
const idsOf = (batch: readonly Received[]): string[] => batch.map(({ envelope }) => envelope.event_id);

function world(handle: (batch: readonly Received[]) => Promise<void> | void): {
  run: (batch: readonly Received[]) => ReturnType<typeof handlePersistently>;
  lose: () => void;
  tries: string[][];
  progressed: () => number;
} {
  const controller = new AbortController();
  const tries: string[][] = [];
  let progressed = 0;
  const context: BatchContext = { signal: controller.signal, progress: () => (progressed += 1) };
  return {
    tries,
    lose: () => controller.abort(),
    progressed: () => progressed,
    run: (batch) =>
      handlePersistently(batch, {
        context,
        logger: recordingLogger(),
        handle: async (part) => {
          tries.push(idsOf(part));
          await handle(part);
        },
      }),
  };
}

describe('handling a batch persistently', () => {
  it('hands it over once when all is well', async () => {
    const { run, tries } = world(() => undefined);
    expect(await run([received('a', 1), received('b', 1)])).toEqual([]);
    expect(tries).toEqual([['a-1', 'b-1']]);
  });

  it('repeats the same batch for as long as the infrastructure is broken, and calls nothing poison', async () => {
    let failures = 5;
    const { run, tries, progressed } = world(() => {
      failures -= 1;
      if (failures >= 0) throw new RetryableError('no database', { retryAfterMs: 1 });
    });
    expect(await run([received('a', 1), received('b', 1)])).toEqual([]);
    expect(tries).toEqual(Array.from({ length: 6 }, () => ['a-1', 'b-1']));
    expect(progressed()).toBe(6);
  });

  it('gives up, without a verdict, when the partitions are lost in the meantime', async () => {
    const { run, lose } = world(() => {
      setTimeout(lose, 10);
      throw new RetryableError('no database', { retryAfterMs: 20_000 });
    });
    await expect(run([received('a', 1)])).rejects.toThrow('no database');
  });

  it('gets over a bug that shows only now and then', async () => {
    let failures = 2;
    const { run, tries } = world(() => {
      failures -= 1;
      if (failures >= 0) throw new TypeError('undefined is not a function');
    });
    expect(await run([received('a', 1)])).toEqual([]);
    expect(tries).toHaveLength(3);
  });

  it('finds the one poison message among many, handles all others once, and keeps the order of its conversation', async () => {
    const handled: string[] = [];
    const { run } = world((batch) => {
      if (idsOf(batch).includes('c5-2')) throw new TypeError('boom');
      handled.push(...idsOf(batch));
    });
    const conversations = Array.from({ length: 16 }, (_, n) => `c${n}`);
    const poison = await run(conversations.flatMap((name) => [1, 2, 3].map((n) => received(name, n))));
    expect(poison.map(({ received: one }) => one.envelope.event_id)).toEqual(['c5-2']);
    expect(poison[0]).toMatchObject({ reason: { code: 'message.unhandled', message: 'TypeError: boom' } });
    expect(poison[0]?.attempts).toBeGreaterThanOrEqual(3);
    expect(handled).toHaveLength(47);
    expect(new Set(handled).size).toBe(47);
    expect(handled.filter((id) => id.startsWith('c5-'))).toEqual(['c5-1', 'c5-3']);
    expect(handled.filter((id) => id.startsWith('c9-'))).toEqual(['c9-1', 'c9-2', 'c9-3']);
  });

  it('does not try a terminal error again: it halves at once, and keeps the code', async () => {
    const { run, tries } = world((batch) => {
      if (idsOf(batch).includes('a-1')) throw new TerminalError('never', { code: 'contract.unsupported_version' });
    });
    const poison = await run([received('a', 1), received('b', 1)]);
    expect(tries).toEqual([['a-1', 'b-1'], ['a-1'], ['b-1']]);
    expect(poison[0]).toMatchObject({ attempts: 2, reason: { code: 'contract.unsupported_version' } });
  });

  it('waits for broken infrastructure also while it looks for the poison', async () => {
    let isAway = 3;
    const { run } = world((batch) => {
      if (batch.length === 1 && isAway > 0) {
        isAway -= 1;
        throw new RetryableError('no database', { retryAfterMs: 1 });
      }
      if (idsOf(batch).includes('b-1')) throw new TypeError('boom');
    });
    const poison = await run([received('a', 1), received('b', 1)]);
    expect(poison.map(({ received: one }) => one.envelope.event_id)).toEqual(['b-1']);
  });

  const timeOut = (): RetryableError => new RetryableError('too slow', { kind: 'time_out', retryAfterMs: 1 });

  it('halves a batch that times out three times in a row: the batch itself may be what takes too long', async () => {
    const { run, tries } = world((batch) => {
      if (batch.length > 1) throw timeOut();
    });
    expect(await run([received('a', 1), received('b', 1)])).toEqual([]);
    const whole = ['a-1', 'b-1'];
    expect(tries).toEqual([whole, whole, whole, ['a-1'], ['b-1']]);
  });

  it('counts time-outs in a row only: a slow spell beside other troubles halves nothing', async () => {
    let failures = 8;
    const { run, tries } = world(() => {
      failures -= 1;
      if (failures >= 0) throw failures % 3 === 0 ? new RetryableError('away', { retryAfterMs: 1 }) : timeOut();
    });
    expect(await run([received('a', 1), received('b', 1)])).toEqual([]);
    expect(tries).toHaveLength(9);
  });

  it('gives up, in the end, the one message that always times out, and handles the others', async () => {
    const { run, tries } = world((batch) => {
      if (idsOf(batch).includes('b-1')) throw timeOut();
    });
    const poison = await run([received('a', 1), received('b', 1)]);
    expect(poison.map(({ received: one }) => one.envelope.event_id)).toEqual(['b-1']);
    expect(tries.filter((ids) => ids.join() === 'b-1')).toHaveLength(12);
  });

  it('decides again three times at most when another writer was first, and then gives the batch back whole', async () => {
    const { run, tries } = world(() => {
      throw new RetryableError('somebody was first', { kind: 'conflict', retryAfterMs: 1 });
    });
    await expect(run([received('a', 1), received('b', 1)])).rejects.toThrow('somebody was first');
    expect(tries).toHaveLength(3);
  });
});
