import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ConversationKey, type Result } from '@latch/contracts';
import { type EventStore } from './event-store.ts';
import { appendBatch, createStoreFixture, event, newKey, type StoreFixture } from './store-fixture.features.ts';
import { type ChainBreak, verifyChain } from './verify-chain.ts';

let fixture: StoreFixture;
let store: EventStore;

beforeAll(async () => {
  fixture = await createStoreFixture();
  store = await fixture.open();
});
afterAll(() => fixture.close());

const nasty = {
  text: 'nul \u0000, lone \ud800, "quotes", \\ and é',
  numbers: [1e21, -0, 0.1, 1.0, 5e-324, 9007199254740993],
  nested: { z: 1, a: { é: [], '': null } },
};

async function newStream(): Promise<ConversationKey> {
  const key = newKey();
  await appendBatch(store, key, { events: [event(nasty, { traceId: 'a\u0000b\ud800' }), event(2), event(3)] });
  await appendBatch(store, key, { events: [event(4), event({ five: nasty })] });
  return key;
}

async function verify(key: ConversationKey): Promise<Result<undefined, ChainBreak>> {
  const conversation = await store.readConversation('default', key);
  if (!conversation) throw new Error(`No conversation ${key}`);
  const events = await store.readEvents({ tenantId: 'default', key, after: 0, limit: 1000 });
  return verifyChain(conversation, events, { version: conversation.version, hash: conversation.headHash });
}

/** What only the owner of the database can do: the trigger is switched off for one statement. */
async function tamper(key: ConversationKey, statement: string): Promise<void> {
  await fixture.sql('ALTER TABLE events DISABLE TRIGGER USER');
  await fixture.sql(statement.replace('$STREAM', '(SELECT stream_id FROM streams WHERE conversation_key = $1)'), [key]);
  await fixture.sql('ALTER TABLE events ENABLE TRIGGER USER');
}

describe('the events table', () => {
  it('refuses update, delete and truncate, even for its owner', async () => {
    await newStream();
    for (const statement of [`UPDATE events SET type = 'x'`, 'DELETE FROM events', 'TRUNCATE events']) {
      await expect(fixture.sql(statement)).rejects.toMatchObject({ code: '23001' });
    }
  });
});

describe('a stream that nobody touched', () => {
  it('verifies from what the database holds, whatever its events contain', async () => {
    expect(await verify(await newStream())).toEqual({ ok: true, value: undefined });
  });

  it('gives each payload back exactly as canonical JSON', async () => {
    const key = await newStream();
    const [first] = await store.readEvents({ tenantId: 'default', key, after: 0, limit: 1 });
    expect(first?.payload).toEqual({ ...nasty, numbers: [1e21, 0, 0.1, 1, 5e-324, 9007199254740992] });
  });
});

describe('a stream that the database owner touched', () => {
  it.each([
    [
      'edited',
      `UPDATE events SET record = set_byte(record, 40, get_byte(record, 40) # 1) WHERE stream_id = $STREAM AND stream_version = 3`,
      3,
      'altered',
    ],
    [
      'written anew in the form of an older release',
      `UPDATE events SET record = NULL, event_id = 'e', trace_id = 't', payload = '{"amount":1}'
       WHERE stream_id = $STREAM AND stream_version = 3`,
      3,
      'altered',
    ],
    [
      'back-dated',
      `UPDATE events SET occurred_at = '2020-01-01Z' WHERE stream_id = $STREAM AND stream_version = 4`,
      4,
      'altered',
    ],
    ['deleted', `DELETE FROM events WHERE stream_id = $STREAM AND stream_version = 2`, 2, 'missing'],
    ['deleted at the begin', `DELETE FROM events WHERE stream_id = $STREAM AND stream_version = 1`, 1, 'missing'],
    ['truncated', `DELETE FROM events WHERE stream_id = $STREAM AND stream_version > 3`, 4, 'truncated'],
    ['emptied', `DELETE FROM events WHERE stream_id = $STREAM`, 1, 'truncated'],
  ])('is found out when %s, with the place', async (_what, statement, version, reason) => {
    const key = await newStream();
    await tamper(key, statement);
    expect(await verify(key)).toEqual({ ok: false, error: { version, reason } });
  });

  it('is found out when two events change places', async () => {
    const key = await newStream();
    await tamper(
      key,
      `UPDATE events e SET record = o.record, hash = o.hash FROM events o
       WHERE e.stream_id = $STREAM AND o.stream_id = e.stream_id AND e.stream_version IN (2, 3)
         AND o.stream_version = 5 - e.stream_version`,
    );
    expect(await verify(key)).toEqual({ ok: false, error: { version: 2, reason: 'altered' } });
  });
});
