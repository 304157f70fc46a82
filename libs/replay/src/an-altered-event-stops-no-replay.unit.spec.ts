import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type AgentConfig, canonicalJson, ConversationKey } from '@latch/contracts';
import { type StoredStream } from '@latch/event-store';
import fc from 'fast-check';
import { rebuildStream } from './rebuild-stream.ts';
import { redecideAgainst } from './redecide-against.ts';
import { redecideStream } from './redecide-stream.ts';
import { isAllEqual, replayStreams } from './replay-streams.ts';

const folder = new URL('../../../contracts/histories/0.1.0/', import.meta.url);
const configs = new Map<string, AgentConfig>(
  readdirSync(new URL('configs/', folder)).map((file) => [
    file.replace('.json', ''),
    JSON.parse(textOf(`configs/${file}`)),
  ]),
);
const histories = readdirSync(folder)
  .filter((file) => file.endsWith('.jsonl'))
  .map(streamOf);
const whole = streamOf('completed.jsonl');

function textOf(file: string): string {
  return readFileSync(new URL(file, folder), 'utf8');
}

function streamOf(file: string): StoredStream {
  const [heading, ...rest] = textOf(file)
    .trim()
    .split('\n')
    .map((line) => Object(JSON.parse(line)));
  const conversationKey = ConversationKey.parse(heading.conversation.conversationKey);
  const place = { streamId: heading.conversation.streamId, tenantId: heading.conversation.tenantId, conversationKey };
  const events = rest.slice(0, -1).map((event) => ({ ...event, ...place, payloadText: canonicalJson(event.payload) }));
  const times = { createdAt: '', updatedAt: '', deadline: null };
  return { conversation: { ...heading.conversation, ...rest.at(-1), conversationKey, ...times }, events };
}

const agentOf = (digest: string): AgentConfig | undefined => configs.get(digest);
type Check = (stream: StoredStream) => { readonly kind: 'equal' | 'erased' | 'differs' };

const checks: Readonly<Record<string, Check>> = {
  rebuild: rebuildStream,
  redecide: (stream) => redecideStream(stream, agentOf),
  redecide_against: (stream) => redecideAgainst(stream, [...configs.values()][0]),
};

/** One member of one event, or of what is in it, is another value or gone: what somebody with the rights of the owner may do. */
const altered = fc
  .record({
    stream: fc.constantFrom(...histories),
    at: fc.nat(),
    path: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
    value: fc.constantFrom(undefined, null, 7, 'x', {}, [], true),
  })
  .map(({ stream, at, path, value }) => {
    const index = at % stream.events.length;
    const events = stream.events.map((event, other) =>
      other === index ? { ...event, payload: withMember(event.payload, path, value) } : event,
    );
    return { ...stream, events };
  });

function withMember(value: unknown, [place = 0, ...path]: readonly number[], put: unknown): unknown {
  const names = Object.keys(Object(value)).filter((name) => name !== 'type');
  const name = names[place % names.length];
  if (name === undefined) return put;
  const inner: unknown = Reflect.get(Object(value), name);
  const isDeep = path.length > 0 && typeof inner === 'object' && inner !== null;
  return { ...Object(value), [name]: isDeep ? withMember(inner, path, put) : put };
}

describe.each(Object.entries(checks))('%s of a store in which somebody has altered an event', (_word, check) => {
  it('goes on to the other conversations, and never takes one that it cannot read for equal', async () => {
    const property = fc.asyncProperty(altered, async (stream) => {
      const { equal, differ, conversations, ...shown } = await replayStreams(streamsOf(whole, stream, whole), {
        check,
      });
      expect(conversations).toBe(3);
      expect(equal + differ + shown.unreadable.count).toBe(3);
      if (shown.unreadable.count === 0) return;
      const { conversationKey, tenantId } = stream.conversation;
      expect(shown.unreadable.first).toEqual([{ conversationKey, tenantId, error: expect.stringMatching(/Error$/) }]);
      expect(isAllEqual({ equal, differ, conversations, ...shown })).toBe(false);
    });
    await fc.assert(property, { numRuns: 200 });
  });
});

describe('a result that somebody has taken out of its event', () => {
  it.each(Object.entries(checks))('makes its conversation unreadable for %s, and no other', async (_word, check) => {
    const events = whole.events.map((event) =>
      event.type === 'ToolResultReceived' ? { ...event, payload: { type: event.type } } : event,
    );
    expect(events).not.toEqual(whole.events);
    const { unreadable, equal, differ } = await replayStreams(streamsOf({ ...whole, events }, whole), { check });
    expect([unreadable.count, equal + differ]).toEqual([1, 1]);
  });
});

describe('an event that does not open any more', () => {
  it('makes its conversation unreadable, though what is left of it may fold to the stored state', async () => {
    const events = whole.events.map((event, index) =>
      index === whole.events.length - 1 ? { ...event, payload: null, isAltered: true } : event,
    );
    const streams = streamsOf({ ...whole, events }, whole);
    expect(await replayStreams(streams, { check: rebuildStream })).toMatchObject({
      ...{ equal: 1, differ: 0 },
      unreadable: { count: 1, first: [{ error: 'altered' }] },
    });
  });
});

describe('a replay whose check fails for another reason', () => {
  it('fails: a database that is away is no evidence', async () => {
    const check = (): never => {
      throw new Error('the connection was lost');
    };
    await expect(replayStreams(streamsOf(whole), { check })).rejects.toThrow('the connection was lost');
  });
});

async function* streamsOf(...streams: readonly StoredStream[]): AsyncGenerator<StoredStream> {
  yield* streams;
}
