import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { type Sql } from './database.ts';
import { type EvidenceSeal } from './evidence-seal.ts';
import { type KnownSeal } from './verify-seals.ts';
import { type RecordColumns, recordOfRow } from './event-record.ts';
import { eventHash, genesisHash } from './hash-chain.ts';
import { readSigningKey, type SigningKey } from './signing-key.ts';
import { appendBatch, createStoreFixture, event, newKey, type StoreFixture } from './store-fixture.features.ts';
import { type VerifyProblem, type VerifyReport } from './verify-report.ts';
import { verifyStore, type VerifyRequest } from './verify-store.ts';

const streamCount = 12;
const eventsEach = 6;
const triesEach = 10;

let fixture: StoreFixture;
let owner: pg.Client;
let streams: readonly Stream[];
let lastSeal: { readonly number: number; readonly hash: string };
const key = newSigningKey();

type Stream = { readonly streamId: string; readonly conversationKey: string; readonly tenantId: string };

beforeAll(async () => {
  fixture = await createStoreFixture();
  const store = await fixture.open();
  const keys = Array.from({ length: streamCount }, (_, index) => newKey(index % 2 === 0 ? 'a' : 'b'));
  let sealed = 0;
  for (let round = 1; round <= eventsEach / 2; round += 1) {
    for (const name of keys)
      await appendBatch(store, name, { events: [event({ round }), event({ round, more: name })] });
    // Two seals a round and more: a transaction of a suite beside this one may hold the end back for a moment.
    for (let tries = 0; sealed < round * 2 * streamCount && tries < 600; tries += 1) {
      const outcome = await store.sealEvidence({ key, maxEvents: streamCount, announce });
      if (outcome.kind === 'sealed') {
        sealed += outcome.seal.events;
        lastSeal = outcome.seal;
      } else await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
  owner = new pg.Client({ connectionString: fixture.url });
  await owner.connect();
  const rows = await sql<{ stream_id: string; conversation_key: string; tenant_id: string }>(
    'SELECT stream_id, conversation_key, tenant_id FROM streams ORDER BY stream_id',
  );
  streams = rows.map((row) => ({
    streamId: row.stream_id,
    conversationKey: row.conversation_key,
    tenantId: row.tenant_id,
  }));
}, 60_000);
afterAll(async () => {
  await owner.end();
  await fixture.close();
});

const sql: Sql = async <Row extends pg.QueryResultRow>(
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> => {
  const { rows } = await owner.query<Row>(text, [...values]);
  return rows;
};

function newSigningKey(): SigningKey {
  const pkcs8 = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  const read = readSigningKey(pkcs8);
  if (!read.ok) throw new Error(read.error);
  return read.value;
}

function announce(seal: EvidenceSeal) {
  return { topic: 'latch.signals.v1' as const, key: '*', eventId: `seal-${seal.number}`, value: '{}', headers: {} };
}

/** Tampers as the owner of the database can, with the triggers switched off; verifies what is then there; and takes it all back. */
async function afterTampering(
  tamper: () => Promise<void>,
  known: KnownSeal | null = lastSeal,
  expecting: Pick<VerifyRequest, 'sealedWithinMs'> = {},
): Promise<VerifyReport> {
  await owner.query('BEGIN');
  try {
    await owner.query('SET LOCAL session_replication_role = replica');
    await tamper();
    const here = { within: () => sql, snapshot: <T>(_scope: unknown, read: (sql: Sql) => Promise<T>) => read(sql) };
    return await verifyStore(here, { publicKeys: [key.publicKey], ...(known && { lastSeal: known }), ...expecting });
  } finally {
    await owner.query('ROLLBACK');
  }
}

type Try = {
  readonly stream: Stream;
  readonly version: number;
  readonly seal: number;
  readonly edit: string;
};

/** Which stream, version, seal and edit an owner tries: none of them is safer than the others. */
function anyTry(): fc.Arbitrary<Try> {
  return fc.record({
    stream: fc.constantFrom(...streams),
    version: fc.integer({ min: 1, max: eventsEach }),
    seal: fc.integer({ min: 1, max: lastSeal.number }),
    edit: fc.constantFrom(...edits),
  });
}

/** Gives every event from a version on, and the head, new hashes that fit together. */
async function rechain({ streamId, conversationKey, tenantId }: Stream): Promise<void> {
  const rows = await sql<RecordColumns & { stream_version: number; type: string; occurred_at: Date }>(
    'SELECT *, payload::text AS payload FROM events WHERE stream_id = $1 ORDER BY stream_version',
    [streamId],
  );
  let previous = genesisHash({ streamId, conversationKey, tenantId });
  for (const row of rows) {
    const occurredAt = row.occurred_at.toISOString();
    const record = recordOfRow(row, occurredAt);
    if (!record.ok) throw new Error('The record does not open');
    const { stream_version: version, type, transaction_id: transactionId } = row;
    previous = eventHash(streamId, previous, { version, type, occurredAt, transactionId, ...record.value });
    const at = [previous, streamId, row.stream_version];
    await sql(`UPDATE events SET hash = decode($1, 'hex') WHERE stream_id = $2 AND stream_version = $3`, at);
  }
  await sql(`UPDATE conversations SET head_hash = decode($1, 'hex'), version = $3 WHERE stream_id = $2`, [
    previous,
    streamId,
    rows.length,
  ]);
}

async function deleteEvents({ streamId }: Stream, where: string, version: number): Promise<void> {
  await sql(`DELETE FROM events WHERE stream_id = $1 AND stream_version ${where} $2`, [streamId, version]);
}

/** Makes room for one version in a stream. */
async function shift({ streamId }: Stream, version: number): Promise<void> {
  for (let at = eventsEach; at >= version; at -= 1) {
    await sql('UPDATE events SET stream_version = stream_version + 1 WHERE stream_id = $1 AND stream_version = $2', [
      streamId,
      at,
    ]);
  }
}

/** An event of the owner's own making, in the form of an older release: readable, and well-formed. */
const forged = (payload: string): string =>
  `record = NULL, event_id = 'forged', trace_id = 'forged', causation_id = NULL, message_id = NULL, payload = '${payload}'`;

async function insertAt({ streamId }: Stream, version: number): Promise<void> {
  const copied = 'tenant_id, type, occurred_at, transaction_id, hash, written_by, position';
  await sql(
    `INSERT INTO events (stream_id, stream_version, ${copied}, event_id, trace_id, payload)
     SELECT stream_id, $2, ${copied}, 'forged', 'forged', '{"forged":true}' FROM events
     WHERE stream_id = $1 AND stream_version <> $2 LIMIT 1`,
    [streamId, version],
  );
}

const flipped = (place: string): string => `record = set_byte(record, ${place}, get_byte(record, ${place}) # 1)`;

const edits = [
  forged('{"amount":1}'),
  `type = 'TransactionEnded'`,
  flipped('0'),
  `occurred_at = occurred_at - interval '1 hour'`,
  flipped('length(record) / 2'),
  `transaction_id = 'other'`,
  flipped('length(record) - 1'),
  `record = substr(record, 1, length(record) - 1)`,
  `hash = decode(repeat('ab', 32), 'hex')`,
];

type Way = {
  readonly what: string;
  readonly tamper: (of: Try) => Promise<void>;
  readonly expected: (of: Try) => Partial<VerifyProblem>;
};

const at = (kind: VerifyProblem['kind'], { stream }: Try, version: number): Partial<VerifyProblem> => ({
  kind,
  streamId: stream.streamId,
  version,
});

/** The seals were made after every second event: where a rewrite is placed no better, it is within the two. */
const rewritten = (of: Try, version: number): Partial<VerifyProblem> => {
  const from = version - ((version - 1) % 2);
  return { ...at('head_rewritten', of, from), untilVersion: from + 1 };
};

const ways: readonly Way[] = [
  {
    what: 'edits an event',
    tamper: async ({ stream, version, edit }) => {
      const statement = `UPDATE events SET ${edit} WHERE stream_id = $1 AND stream_version = $2`;
      await sql(statement, [stream.streamId, version]);
    },
    expected: (of) => at('event_altered', of, of.version),
  },
  {
    what: 'deletes an event',
    tamper: ({ stream, version }) => deleteEvents(stream, '=', version),
    expected: (of) => at(of.version === eventsEach ? 'stream_truncated' : 'event_missing', of, of.version),
  },
  {
    what: 'swaps two events',
    tamper: async ({ stream, version }) => {
      const [one, two] = [Math.min(version, eventsEach - 1), Math.min(version, eventsEach - 1) + 1];
      const move = 'UPDATE events SET stream_version = $3 WHERE stream_id = $1 AND stream_version = $2';
      await sql(move, [stream.streamId, one, 99]);
      await sql(move, [stream.streamId, two, one]);
      await sql(move, [stream.streamId, 99, two]);
    },
    expected: (of) => at('event_altered', of, Math.min(of.version, eventsEach - 1)),
  },
  {
    what: 'truncates a stream and sets its head back',
    tamper: async ({ stream, version }) => {
      await deleteEvents(stream, '>=', version);
      await rechain(stream);
    },
    expected: (of) => at('stream_truncated', of, of.version),
  },
  {
    what: 'inserts an event',
    tamper: async ({ stream, version }) => {
      await shift(stream, version);
      await insertAt(stream, version);
    },
    expected: (of) => at('event_altered', of, of.version),
  },
  {
    what: 'rewrites an event and recomputes every hash after it, to the head',
    tamper: async ({ stream, version }) => {
      await sql(`UPDATE events SET ${forged('{"amount":1}')} WHERE stream_id = $1 AND stream_version = $2`, [
        stream.streamId,
        version,
      ]);
      await rechain(stream);
    },
    expected: (of) => rewritten(of, of.version),
  },
  {
    what: 'deletes a whole stream, with its conversation',
    tamper: async ({ stream }) => {
      for (const table of ['events', 'conversations', 'streams'])
        await sql(`DELETE FROM ${table} WHERE stream_id = $1`, [stream.streamId]);
    },
    expected: (of) => at('stream_missing', of, 1),
  },
  {
    what: 'deletes a seal with its heads',
    tamper: async ({ seal }) => {
      for (const table of ['seals', 'sealed_heads']) await sql(`DELETE FROM ${table} WHERE seal_number = $1`, [seal]);
    },
    expected: ({ seal }) => ({ kind: 'seal_missing', sealNumber: seal }),
  },
  {
    what: 'rewrites an event with the heads that were sealed of it',
    tamper: async ({ stream, version }) => {
      await sql(`UPDATE events SET ${forged('{"amount":1}')} WHERE stream_id = $1 AND stream_version = $2`, [
        stream.streamId,
        version,
      ]);
      await rechain(stream);
      await sql(
        `UPDATE sealed_heads h SET hash = e.hash FROM events e WHERE h.stream_id = $1 AND e.stream_id = h.stream_id AND e.stream_version = h.stream_version`,
        [stream.streamId],
      );
    },
    expected: () => ({ kind: 'seal_altered' }),
  },
  {
    what: 'gives a conversation to another tenant, with new hashes',
    tamper: async ({ stream }) => {
      const tenantId = stream.tenantId === 'a' ? 'b' : 'a';
      for (const table of ['events', 'conversations', 'streams']) {
        await sql(`UPDATE ${table} SET tenant_id = $2 WHERE stream_id = $1`, [stream.streamId, tenantId]);
      }
      await rechain({ ...stream, tenantId });
    },
    expected: (of) => rewritten(of, 1),
  },
];

describe('the newest seal, taken away with its heads', () => {
  const takeAway = async (): Promise<void> => {
    for (const table of ['seals', 'sealed_heads'])
      await sql(`DELETE FROM ${table} WHERE seal_number = $1`, [lastSeal.number]);
  };

  it('is missed by whoever kept it, or nothing but its hash', async () => {
    for (const known of [lastSeal, { hash: lastSeal.hash }]) {
      const { problems } = await afterTampering(takeAway, known);
      expect(problems).toMatchObject([{ kind: 'seal_missing', first: { sealNumber: lastSeal.number } }]);
    }
    expect(await afterTampering(() => Promise.resolve(), { hash: lastSeal.hash })).toMatchObject({ isGood: true });
  });

  it('is missed by nobody else: the seals before it are whole', async () => {
    expect(await afterTampering(takeAway, null)).toMatchObject({ isGood: true });
  });
});

describe('an owner who takes seals away, found by whoever expects every event to be sealed after a quarter of an hour', () => {
  const expecting = { sealedWithinMs: 900_000 };
  const takeAll = async (): Promise<void> => {
    for (const table of ['sealed_heads', 'seals']) await sql(`DELETE FROM ${table}`);
  };
  const first = (of: Partial<VerifyProblem>): object => ({
    isGood: false,
    problems: [{ kind: 'unsealed', first: of }],
  });

  it('all of them, after a rewrite with new hashes', async () => {
    const rewriteAll = async (): Promise<void> => {
      const [stream] = streams;
      if (!stream) throw new Error('there is no stream');
      await sql(`UPDATE events SET ${forged('{"amount":1}')} WHERE stream_id = $1 AND stream_version = 3`, [
        stream.streamId,
      ]);
      await rechain(stream);
      await takeAll();
    };
    const found = await afterTampering(rewriteAll, null, expecting);
    expect(found).toMatchObject(first({ version: 1 }));
    expect(found.problems[0]?.count).toBe(streamCount);
    expect(await afterTampering(rewriteAll, null)).toMatchObject({ isGood: true, signatures: 'no_seals' });
  });

  it('the newest one', async () => {
    const takeNewest = async (): Promise<void> => {
      for (const table of ['sealed_heads', 'seals'])
        await sql(`DELETE FROM ${table} WHERE seal_number = $1`, [lastSeal.number]);
    };
    expect(await afterTampering(takeNewest, null, expecting)).toMatchObject(first({ version: eventsEach - 1 }));
  });

  it('all of them, after he moved every event into the future', async () => {
    const moveAll = async (): Promise<void> => {
      await sql(`UPDATE events SET occurred_at = occurred_at + interval '100 years'`);
      for (const stream of streams) await rechain(stream);
      await takeAll();
    };
    expect(await afterTampering(moveAll, null, expecting)).toMatchObject(first({ version: 1 }));
  });

  it('is not taken for one where nobody did, or where the events are too young to be sealed', async () => {
    const nothing = (): Promise<void> => Promise.resolve();
    expect(await afterTampering(nothing, null, expecting)).toMatchObject({ isGood: true });
    const century = { sealedWithinMs: 100 * 365 * 86_400_000 };
    expect(await afterTampering(takeAll, null, century)).toMatchObject({ isGood: true });
  });
});

describe('a store that nobody touched', () => {
  it('verifies', async () => {
    const report = await afterTampering(() => Promise.resolve());
    expect(report).toMatchObject({
      isGood: true,
      streams: streamCount,
      events: streamCount * eventsEach,
      unsealedEvents: 0,
    });
  });
});

describe('an owner of the database', () => {
  it.each(ways.map((way) => [way.what, way] as const))(
    'who %s is found, with the first bad place',
    async (_what, way) => {
      const isFound = fc.asyncProperty(anyTry(), async (of) => {
        const report = await afterTampering(() => way.tamper(of));
        const first = report.problems.map((problem) => problem.first);
        expect({ isGood: report.isGood, first }).toEqual({
          isGood: false,
          first: expect.arrayContaining([expect.objectContaining(way.expected(of))]),
        });
      });
      await fc.assert(isFound, { numRuns: triesEach });
    },
    60_000,
  );
});
