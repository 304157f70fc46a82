import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type BusMessage, topics } from '@latch/contracts';
import { redriveMark } from '@latch/messaging';
import { eventually } from '@latch/testing';
import { z } from 'zod';
import {
  alarmSignal,
  deadLetter,
  idOf,
  openTestConsole,
  signal,
  type TestConsole,
  type TestOptions,
} from './test-console.features.ts';

const opened: TestConsole[] = [];
const streams: AbortController[] = [];

async function open(options: TestOptions = {}): Promise<TestConsole> {
  const console = await openTestConsole(options);
  opened.push(console);
  return console;
}

afterEach(async () => {
  streams.splice(0).forEach((stream) => stream.abort());
  await Promise.all(opened.splice(0).map((console) => console.close()));
});

type Frame = { readonly event: string; readonly id?: string; readonly data: Record<string, unknown> };
type Stream = { readonly status: number; readonly frames: Frame[]; readonly text: () => string; hasEnded(): boolean };

/** Reads a stream as it comes. */
async function follow(console: TestConsole, query: string, headers: Record<string, string> = {}): Promise<Stream> {
  const stop = new AbortController();
  streams.push(stop);
  const answer = await fetch(`${console.url}/v1/signals/stream?${query}`, { headers, signal: stop.signal });
  const frames: Frame[] = [];
  let text = '';
  let isOver = false;
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      frames.splice(0, frames.length, ...framesIn(text));
    }
  };
  void read()
    .catch(() => undefined)
    .finally(() => (isOver = true));
  return { status: answer.status, frames, text: () => text, hasEnded: () => isOver };
}

function framesIn(text: string): Frame[] {
  return text
    .split('\n\n')
    .slice(0, -1)
    .flatMap((block) => {
      const fields = Object.fromEntries(
        block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      );
      return fields['event']
        ? [{ event: fields['event'], id: fields['id'], data: JSON.parse(fields['data'] ?? '{}') }]
        : [];
    });
}

const idsIn = ({ frames }: Stream): readonly string[] =>
  frames.flatMap(({ event, id }) => (event === 'signal' && id ? [id] : []));

async function untilIds(stream: Stream, names: readonly string[]): Promise<void> {
  await eventually(() => expect(idsIn(stream)).toEqual(names.map(idOf)));
}

/** Resolves when a new stream with this query brings exactly these signals, and is that stream. */
async function untilKept(console: TestConsole, query: string, names: readonly string[]): Promise<Stream> {
  return eventually(async () => {
    const stream = await follow(console, query);
    await pause(50);
    expect(idsIn(stream)).toEqual(names.map(idOf));
    return stream;
  });
}

describe('a live stream of signals', () => {
  it('brings each signal of its tenant and of the platform once, and none of another tenant', async () => {
    const console = await open();
    const stream = await follow(console, 'tenant_id=acme');
    await eventually(() =>
      expect(stream.frames[0]).toMatchObject({ event: 'connected', data: { is_incomplete: false } }),
    );
    await console.publish(
      signal('a'),
      signal('other', { tenantId: 'rival' }),
      signal('a'),
      signal('p', { tenantId: 'platform' }),
      signal('b'),
    );
    await eventually(() => expect([...idsIn(stream)].sort()).toEqual([idOf('a'), idOf('b'), idOf('p')].sort()));
  });

  it.each([
    ['family=NOC', ['noc']],
    ['type=IC.TRANSACTION_ENDED', ['ended']],
    ['severity=info&family=IC', ['started', 'ended']],
    ['transaction_id=t-9', ['ended']],
    ['conversation_key=acme%3Aretail_orders%3As-1&family=NOC', ['noc']],
  ])('brings only what its filter lets through: %s', async (filter, expected) => {
    const messages = [
      signal('started'),
      signal('noc', { type: 'NOC.STATE_INCONSISTENT' }),
      signal('ended', { type: 'IC.TRANSACTION_ENDED', transactionId: 't-9' }),
    ];
    const console = await open({ before: messages });
    await untilKept(console, `tenant_id=acme&latest=10&${filter}`, expected);
  });

  it('goes on after the signal that the client saw last', async () => {
    const console = await open({ before: [signal('a'), signal('b'), signal('c')] });
    await untilKept(console, 'tenant_id=acme&latest=9', ['a', 'b', 'c']);
    const stream = await follow(console, 'tenant_id=acme', { 'last-event-id': idOf('a') });
    await untilIds(stream, ['b', 'c']);
    expect(stream.frames[0]?.data).toMatchObject({ is_incomplete: false });
  });

  it('says so when more was missed than is kept, and gives what is kept', async () => {
    const console = await open({
      settings: { LATCH_SIGNALS_KEPT: 2 },
      before: [signal('a'), signal('b'), signal('c')],
    });
    await untilKept(console, 'tenant_id=acme&latest=9', ['b', 'c']);
    const stream = await follow(console, 'tenant_id=acme', { 'last-event-id': idOf('a') });
    await untilIds(stream, ['b', 'c']);
    expect(stream.frames[0]?.data).toMatchObject({ is_incomplete: true });
  });

  it('is not pushed out of what is kept by another tenant that is loud', async () => {
    const loud = Array.from({ length: 20 }, (_, n) => signal(`loud ${n}`, { tenantId: 'rival' }));
    const console = await open({ settings: { LATCH_SIGNALS_KEPT: 5 }, before: [signal('quiet'), ...loud] });
    const newest = [16, 17, 18, 19].map((n) => `loud ${n}`);
    await untilKept(console, 'tenant_id=rival&latest=9', newest);
    await untilKept(console, 'tenant_id=acme&latest=9', ['quiet']);
  });

  it('shows that it lives while nothing happens', async () => {
    const stream = await follow(await open({ settings: { LATCH_HEARTBEAT_MS: 100 } }), 'tenant_id=acme');
    await eventually(() => expect(stream.text()).toContain(': still here'));
  });

  it('is refused when too many are open, and let in again when one has gone', async () => {
    const console = await open({ settings: { LATCH_MAX_STREAMS: 1 } });
    await follow(console, 'tenant_id=acme');
    const refused = await console.get('/v1/signals/stream?tenant_id=acme');
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toMatchObject([
      503,
      '10',
      { code: 'stream.too_many' },
    ]);
    streams.splice(0).forEach((stream) => stream.abort());
    await eventually(async () => expect((await follow(console, 'tenant_id=acme')).status).toBe(200));
  });

  it('is told to connect again when the console stops, and does not hold it up', async () => {
    const console = await openTestConsole();
    const stream = await follow(console, 'tenant_id=acme');
    const startedAt = Date.now();
    await console.close();
    expect(Date.now() - startedAt).toBeLessThan(15_000);
    await eventually(() => expect([stream.frames.at(-1)?.event, stream.hasEnded()]).toEqual(['closing', true]));
  });

  it('shows no secret and no personal data of a payload', async () => {
    const payload = { api_token: 'abcdefgh', note: 'CPF 529.982.247-25, ana@tim.com.br' };
    const console = await open({ before: [signal('a', { payload })] });
    const stream = await untilKept(console, 'tenant_id=acme&latest=1', ['a']);
    expect(stream.frames.at(-1)?.data['payload']).toEqual({ api_token: '[secret]', note: 'CPF [cpf], [email]' });
  });
});

const Alarms = z.object({ alarms: z.array(z.object({ alarm_id: z.string() })) });
const Body = z.record(z.string(), z.unknown());

async function alarmsOf(console: TestConsole, tenant = 'acme'): Promise<readonly string[]> {
  const answer = await (await console.get(`/v1/alarms?tenant_id=${tenant}`)).json();
  return Alarms.parse(answer).alarms.map((alarm) => alarm.alarm_id);
}

describe('the raised alarms', () => {
  it('are those that were raised and not cleared, also before the console began', async () => {
    const console = await open({
      before: [alarmSignal('one'), alarmSignal('two'), alarmSignal('one', { isCleared: true })],
    });
    await eventually(async () => expect(await alarmsOf(console)).toEqual(['two']));
    await console.publish(alarmSignal('two', { isCleared: true }), alarmSignal('three'));
    await eventually(async () => expect(await alarmsOf(console)).toEqual(['three']));
  });

  it('do not come back with a raise that is delivered again, or late', async () => {
    const console = await open({ before: [alarmSignal('one', { isCleared: true })] });
    await console.publish(alarmSignal('one'), alarmSignal('two'));
    await eventually(async () => expect(await alarmsOf(console)).toEqual(['two']));
  });

  it('of a tenant are not shown to another; those of the platform are shown to all', async () => {
    const console = await open({ before: [alarmSignal('own', { tenantId: 'acme' }), alarmSignal('all')] });
    await eventually(async () => expect((await alarmsOf(console)).toSorted()).toEqual(['all', 'own']));
    expect(await alarmsOf(console, 'rival')).toEqual(['all']);
    expect(await (await console.get('/v1/overview?tenant_id=acme')).json()).toMatchObject({ alarms: { major: 2 } });
  });

  it('are not disturbed by an alarm block that is none', async () => {
    const broken = signal('broken', { type: 'NOC.MCP_SERVER_DOWN', payload: { alarm: { alarm_id: 7 } } });
    const console = await open({ before: [broken, alarmSignal('one')] });
    await eventually(async () => expect(await alarmsOf(console)).toEqual(['one']));
  });
});

describe('the dead letters', () => {
  const unread: BusMessage[] = [
    deadLetter('{'),
    deadLetter('[', { offset: 1 }),
    deadLetter('(', { offset: 2, topic: topics.toolResults }),
  ];
  const read = async (console: TestConsole, query: string): Promise<Record<string, unknown>> =>
    Body.parse(await (await console.get(`/v1/dead-letters?${query}`)).json());

  it('are counted by topic and reason, and shown newest first, up to a bound', async () => {
    const console = await open({ settings: { LATCH_DEAD_LETTERS_KEPT: 2 }, before: unread });
    await eventually(async () => expect(await read(console, 'tenant_id=unknown')).toMatchObject({ total: 3 }));
    const { counts, letters } = await read(console, 'tenant_id=unknown');
    expect(counts).toEqual([
      { topic: topics.turns, code: 'message.unparsable', count: 2 },
      { topic: topics.toolResults, code: 'message.unparsable', count: 1 },
    ]);
    expect(letters).toHaveLength(2);
    expect(await read(console, `tenant_id=unknown&topic=${topics.toolResults}`)).toMatchObject({
      letters: [{ offset: '2' }],
    });
    expect(await read(console, 'tenant_id=unknown&code=message.invalid')).toMatchObject({ letters: [] });
    expect(await read(console, 'tenant_id=unknown&limit=1')).toMatchObject({ letters: [expect.anything()] });
  });

  it('of a tenant are shown to it alone, masked, and never as bytes', async () => {
    const value = JSON.stringify({
      ...{ tenant_id: 'acme', agent_id: 'a', session_id: 's', trace_id: 't', event_id: 'e' },
      payload: { text: 'meu CPF é 529.982.247-25', password: 'hunter22' },
    });
    const console = await open({ before: [deadLetter(value)] });
    await eventually(async () => expect(await read(console, 'tenant_id=acme')).toMatchObject({ total: 1 }));
    const { letters } = await read(console, 'tenant_id=acme');
    const text = JSON.stringify(letters);
    expect(text).toContain('[cpf]');
    for (const clear of ['529.982', 'hunter22', 'abcdefgh', Buffer.from(value).toString('base64')])
      expect(text).not.toContain(clear);
    expect(await read(console, 'tenant_id=rival')).toMatchObject({ total: 0, letters: [] });
  });

  it('say which of them an operator has sent again, and how often', async () => {
    const letter = deadLetter('{');
    const console = await open({ before: [letter, deadLetter('[', { offset: 1 })] });
    const by = { tenant_id: 'unknown', agent_id: 'a', session_id: 's', conversation_key: letter.key, trace_id: 't' };
    const mark = (step: 'begun' | 'sent', run_id: string): BusMessage =>
      redriveMark(
        { ...by, event_id: letter.eventId },
        {
          ...{ letter: { event_id: letter.eventId, partition: 0, offset: '0' }, step, run_id, by: 'ana' },
          ...{ source: { topic: topics.turns, partition: 0, offset: '0' }, at: '2026-12-01T12:00:00.000Z' },
        },
      );
    const crossed = {
      ...mark('sent', 'r3'),
      value: letter.value.replace('NOC.DEAD_LETTER', 'IC.DEAD_LETTER_REDRIVEN'),
    };
    const mislabeled = mark('sent', 'r4');
    const asLetter = { ...mislabeled, value: mislabeled.value.replace('IC.DEAD_LETTER_REDRIVEN', 'NOC.DEAD_LETTER') };
    await console.publish(mark('begun', 'r1'), mark('sent', 'r1'), mark('begun', 'r2'), crossed, asLetter);
    await console.publish(mark('sent', 'r2'), mark('sent', 'r2'));
    await eventually(async () =>
      expect(await read(console, 'tenant_id=unknown')).toMatchObject({
        total: 2,
        letters: expect.arrayContaining([
          expect.objectContaining({ offset: '0', sent_again: { times: 2, last_at: '2026-12-01T12:00:00.000Z' } }),
          expect.objectContaining({ offset: '1', sent_again: null }),
        ]),
      }),
    );
    expect(console.logLines.filter((line) => line.includes('batch_failed'))).toEqual([]);
  });

  it('show a message that is no text, and a huge one, without harm', async () => {
    const binary = deadLetter('x'.repeat(300_000));
    const console = await open({ before: [binary] });
    await eventually(async () => expect(await read(console, 'tenant_id=unknown')).toMatchObject({ total: 1 }));
    expect(await read(console, 'tenant_id=unknown')).toMatchObject({
      letters: [{ bytes: 300_000, text: 'x'.repeat(4_096) }],
    });
  });
});
