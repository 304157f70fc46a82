import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BusMessage, topics } from '@latch/contracts';
import { isReplay, parseRecord, payloadSchemas } from '@latch/messaging';
import { openPlayedStore, playedConversation, type PlayedStore } from './played-store.features.ts';
import { isReemittable, reemittable, type ReemittableTopic } from './messages-of-stream.ts';
import { readCursor, type ReemissionCursor, writeCursor } from './reemission-cursor.ts';
import { reemitStreams } from './reemit-streams.ts';

let played: PlayedStore;
const folder = mkdtempSync(path.join(tmpdir(), 'latch-reemit-'));

beforeAll(async () => {
  played = await openPlayedStore();
  for (const name of ['one', 'two', 'three']) await played.keep(await playedConversation(name));
}, 120_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await played.end();
});

const always = { from: '2026-01-01T00:00:00.000Z', to: '2027-01-01T00:00:00.000Z' };
const begin: ReemissionCursor = { request: {}, runId: 'run-1', after: null, published: 0, isDone: false };

async function reemit(
  topic: ReemittableTopic,
  more: { cursor?: ReemissionCursor; limit?: number; rate?: number; from?: string; to?: string } = {},
): Promise<{ readonly messages: readonly BusMessage[]; readonly end: ReemissionCursor }> {
  const { cursor = begin, limit, rate = 1_000_000, ...times } = more;
  const messages: BusMessage[] = [];
  const streams = played.auditor.streams.read(cursor.after === null ? {} : { after: cursor.after });
  const end = await reemitStreams(played.auditor, streams, {
    ...{ what: { topic, ...always, ...times }, cursor, rate, limit },
    publish: (some) => Promise.resolve(void messages.push(...some)),
    onProgress: () => undefined,
    isStopped: () => false,
  });
  return { messages, end };
}

describe('publishing again what was published', () => {
  it.each(Object.keys(reemittable).filter(isReemittable))(
    'to %s gives messages that can be read, each marked as a replay',
    async (topic) => {
      const { messages, end } = await reemit(topic);
      expect(messages.length).toBeGreaterThan(2);
      expect(end).toMatchObject({ isDone: true, published: messages.length });
      for (const { key, value, headers } of messages) {
        const record = { topic, partition: 0, offset: '0', key, value: Buffer.from(value), headers, timestampMs: 0 };
        expect(parseRecord(record, payloadSchemas).ok).toBe(true);
        expect(isReplay(record)).toBe(true);
      }
      expect(new Set(messages.map(({ eventId }) => eventId)).size).toBe(messages.length);
    },
  );

  it('gives the same messages each time, but for the mark, and the answers byte for byte as they were', async () => {
    const [first, second] = [await reemit(topics.responses), await reemit(topics.responses)];
    expect(second.messages.map(({ eventId }) => eventId)).toEqual(first.messages.map(({ eventId }) => eventId));
    for (const { value } of first.messages) {
      const { replay: _mark, ...envelope } = JSON.parse(value);
      const turn = await played.auditor.readTurn('default', envelope.payload.metadata.turn_id);
      expect(JSON.stringify(envelope)).toBe(turn?.response);
    }
  });

  it('stops before its limit and goes on from its place, without a gap and without a message twice', async () => {
    const whole = await reemit(topics.signals);
    const file = path.join(folder, 'cursor.json');
    const first = await reemit(topics.signals, { limit: whole.messages.length - 1 });
    expect(first.end.isDone).toBe(false);
    writeCursor(file, first.end);
    const second = await reemit(topics.signals, { cursor: readCursor(file, begin) });
    const ids = [...first.messages, ...second.messages].map(({ eventId }) => eventId);
    expect(ids).toEqual(whole.messages.map(({ eventId }) => eventId));
    expect(second.end).toMatchObject({ isDone: true, published: ids.length });
  });

  it('does not go on from the place of another request, nor from a file that is none', () => {
    const file = path.join(folder, 'other.json');
    writeCursor(file, { ...begin, request: { topic: 'x' } });
    expect(() => readCursor(file, begin)).toThrow(/belongs to another reemission/);
    expect(() => readCursor(thisFile(), begin)).toThrow(/is no cursor/);
  });

  it('takes only what was caused in its stretch of time', async () => {
    const at = '2026-11-30T12:00:03.000Z';
    const [before, after] = [await reemit(topics.turns, { to: at }), await reemit(topics.turns, { from: at })];
    const all = await reemit(topics.turns);
    expect(before.messages.length + after.messages.length).toBe(all.messages.length);
    expect(before.messages.length).toBeGreaterThan(0);
    expect(after.messages.length).toBeGreaterThan(0);
  });

  it('is never faster than it was told', async () => {
    const from = performance.now();
    const { messages } = await reemit(topics.turns, { rate: 20 });
    expect(performance.now() - from).toBeGreaterThan(((messages.length - 4) / 20) * 1_000 - 100);
  }, 30_000);
});

function thisFile(): string {
  return new URL(import.meta.url).pathname;
}
