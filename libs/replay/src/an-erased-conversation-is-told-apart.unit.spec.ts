import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { canonicalJson, ConversationKey } from '@latch/contracts';
import { erasureEvent, type StoredEvent, type StoredStream } from '@latch/event-store';
import { initialState } from '@latch/transaction';
import { rebuildStream, stateAt } from './rebuild-stream.ts';
import { redecideAgainst } from './redecide-against.ts';
import { redecideStream } from './redecide-stream.ts';
import { identityOf } from './stream-facts.ts';

const lines: readonly unknown[] = readFileSync(
  new URL('../../../contracts/histories/0.1.0/completed.jsonl', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const stream = streamOf();

function streamOf(): StoredStream {
  const [heading, ...rest] = lines.map(Object);
  const conversationKey = ConversationKey.parse(heading.conversation.conversationKey);
  const place = { streamId: heading.conversation.streamId, tenantId: heading.conversation.tenantId, conversationKey };
  const events: StoredEvent[] = rest
    .slice(0, -1)
    .map((event) => ({ ...event, ...place, payloadText: canonicalJson(event.payload) }));
  const times = { createdAt: '', updatedAt: '', deadline: null };
  return { conversation: { ...heading.conversation, ...rest.at(-1), conversationKey, ...times }, events };
}

function erasedUntil(version: number): readonly StoredEvent[] {
  return stream.events.map((event) => (event.version <= version ? { ...event, isErased: true } : event));
}

/** The first of them, retyped as the tombstone of an erasure. */
function tombstone(version: number): StoredEvent {
  const [first] = stream.events;
  if (!first) throw new Error('the history is empty');
  return { ...first, version, type: erasureEvent, payload: { type: erasureEvent }, payloadText: '{}' };
}

describe('a conversation whose personal data was erased', () => {
  const erased = erasedUntil(stream.events.length);

  it('is erased, and no difference, for rebuild, redecide and another configuration', () => {
    const gone = { ...stream, events: erased };
    expect(rebuildStream(gone)).toEqual({ kind: 'erased' });
    expect(redecideStream(gone, () => undefined)).toEqual({ kind: 'erased' });
    expect(redecideAgainst(gone, undefined)).toEqual({ kind: 'erased' });
  });

  it('has no state before its tombstone, and the empty one behind it', () => {
    const events = [...erased, tombstone(erased.length + 1)];
    expect(stateAt(identityOf(stream), events, 3)).toEqual({ ok: false, error: 'erased' });
    expect(stateAt(identityOf(stream), events, events.length)).toMatchObject({
      ok: true,
      value: { state: initialState(identityOf(stream)) },
    });
  });

  it('goes on behind its tombstone: what came after must fold to the stored state', () => {
    const events = [...erased, tombstone(erased.length + 1), ...stream.events];
    expect(rebuildStream({ ...stream, events })).toEqual({ kind: 'erased' });
    const conversation = { ...stream.conversation, state: { ...Object(stream.conversation.state), clarifications: 7 } };
    expect(rebuildStream({ conversation, events })).toMatchObject({
      kind: 'differs',
      difference: { path: '$.clarifications' },
    });
  });
});
