import { describe, expect, it } from '@jest/globals';
import {
  type BusMessage,
  DeadLetterRedrive,
  EventEnvelope,
  RetryableError,
  TerminalError,
  topics,
} from '@latch/contracts';
import { redriveLetter } from '@latch/messaging';
import { letterOfTurn } from './letter.features.ts';
import { type LetterToSend, redriveLetters, type Sending, type SendingOptions } from './redrive-letters.ts';

const letters: readonly LetterToSend[] = ['1', '2', '3'].map((offset) => {
  const letter = letterOfTurn({ offset });
  const made = redriveLetter(letter.content, { letterId: letter.envelope.event_id, signing: undefined });
  if (!made.ok) throw new Error(made.error.why);
  return { letter, redrivable: made.value };
});

type Sent = { readonly messages: BusMessage[]; sending: Sending | undefined };

/** A run whose bus refuses the `failing`th publish. */
async function run(more: Partial<SendingOptions> & { failing?: number; error?: Error } = {}): Promise<Sent> {
  const sent: Sent = { messages: [], sending: undefined };
  let count = 0;
  const publish = (some: readonly BusMessage[]): Promise<void> => {
    count += 1;
    if (count === more.failing)
      return Promise.reject(more.error ?? new RetryableError('Kafka does not accept messages.'));
    return Promise.resolve(void sent.messages.push(...some));
  };
  sent.sending = await redriveLetters(letters, {
    ...{ plain: { publish }, signed: { publish }, by: 'ana', runId: 'r1', rate: 1_000_000 },
    ...{ now: () => '2026-12-01T13:00:00.000Z', isStopped: () => false, onProgress: () => undefined },
    ...more,
  });
  return sent;
}

function wordOf({ topic, value }: BusMessage): string {
  if (topic !== topics.deadLetters) return 'message';
  const { step, source } = DeadLetterRedrive.parse(EventEnvelope.parse(JSON.parse(value)).payload);
  return `${step} ${source.offset}`;
}

describe('sending letters again', () => {
  it('remembers of each that it begins before its message goes, and that it went behind it', async () => {
    const { messages, sending } = await run();
    const each = (n: string): string[] => [`begun ${n}`, 'message', `sent ${n}`];
    expect(messages.map(wordOf)).toEqual([...each('1'), ...each('2'), ...each('3')]);
    expect(sending).toMatchObject({ end: { how: 'all' }, tooLarge: [] });
    expect(sending?.sent.map(({ id }) => id)).toEqual(['2/1', '2/2', '2/3']);
  });

  it('keeps its marks with their letters: the same key, the tenant of the letter, another event for each step', async () => {
    const { messages } = await run();
    const marks = messages.filter(({ topic }) => topic === topics.deadLetters);
    expect(new Set(marks.map(({ eventId }) => eventId)).size).toBe(6);
    expect(new Set(marks.map(({ key }) => key))).toEqual(new Set(['acme:retail_orders:s1']));
    expect(JSON.parse(marks[0]?.value ?? '')).toMatchObject({
      tenant_id: 'acme',
      event_type: 'IC.DEAD_LETTER_REDRIVEN',
    });
  });

  it.each([
    ['before a message goes', 4, ['begun 1', 'message', 'sent 1']],
    ['when it goes', 5, ['begun 1', 'message', 'sent 1', 'begun 2']],
    ['when it went', 6, ['begun 1', 'message', 'sent 1', 'begun 2', 'message']],
  ])('ends where Kafka goes away %s, and says at which letter', async (_when, failing, left) => {
    const { messages, sending } = await run({ failing });
    expect(messages.map(wordOf)).toEqual(left);
    expect(sending?.sent).toHaveLength(1);
    expect(sending?.end).toEqual({ how: 'broken_off', why: expect.stringContaining('broke off at letter 2/2') });
  });

  it('goes on behind a message that Kafka never takes', async () => {
    const error = new TerminalError('too large', { code: 'message.invalid' });
    const { messages, sending } = await run({ failing: 5, error });
    const each = (n: string): string[] => [`begun ${n}`, 'message', `sent ${n}`];
    expect(messages.map(wordOf)).toEqual([...each('1'), 'begun 2', 'refused 2', ...each('3')]);
    expect(sending?.tooLarge.map(({ id }) => id)).toEqual(['2/2']);
    expect(sending?.sent.map(({ id }) => id)).toEqual(['2/1', '2/3']);
  });

  it('takes a mark that Kafka never takes for a mistake, not for a message that is too large', async () => {
    const error = new TerminalError('too large', { code: 'message.invalid' });
    await expect(run({ failing: 6, error })).rejects.toThrow('too large');
  });

  it('stops between two letters, never within one', async () => {
    let isStopped = false;
    const { messages, sending } = await run({ isStopped: () => isStopped, onProgress: () => void (isStopped = true) });
    expect(messages.map(wordOf)).toEqual(['begun 1', 'message', 'sent 1']);
    expect(sending?.end).toEqual({ how: 'stopped' });
  });

  it('is no faster than it was told', async () => {
    const begin = performance.now();
    await run({ rate: 50 });
    expect(performance.now() - begin).toBeGreaterThan(38);
  });
});
