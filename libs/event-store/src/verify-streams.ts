import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Database, type Sql } from './database.ts';
import { digestOfRow, noDigest, type RecordColumns } from './event-record.ts';
import { type SealedHead } from './evidence-seal.ts';
import { type RawEvent, type SealedBy, StreamCheck, type StreamFacts } from './stream-check.ts';
import { everyTenant, type TenantScope } from './tenant-scope.ts';
import { headOf } from './verify-seals.ts';
import { type ProblemTally, type VerifyProblem, type VerifyProgress } from './verify-report.ts';

type Wanted = { readonly tenantId?: string; readonly sealedWithinMs?: number };

type Request = Wanted & {
  readonly onProgress?: (progress: VerifyProgress) => void;
  readonly tally: ProblemTally;
};

type Found = { readonly streams: number; readonly events: number; readonly unsealedEvents: number };

/** How many events are checked between two breaths, in which the next page is taken in: less than a millisecond. */
const atOneBreath = 50;

/** How much is in memory at once. */
const pageOf = { streams: 200, events: 5_000 } as const;

/**
 * Verifies every stream of which anything is left, in the order of their ids; page by page, each as of one moment. While one page is checked the next one is read.
 */
export async function verifyStreams(database: Pick<Database, 'snapshot'>, request: Request): Promise<Found> {
  const scope: TenantScope = request.tenantId === undefined ? everyTenant : { tenants: [request.tenantId] };
  const idsAfter = (after: string): Promise<readonly string[]> =>
    database.snapshot(scope, (sql) => streamIdsAfter(sql, request, after), 'in_order');
  const ofStreams = await database.snapshot(scope, (sql) => countStreams(sql, request));
  let found: Found = { streams: 0, events: 0, unsealedEvents: 0 };
  let before: Promise<Page | undefined> = Promise.resolve(undefined);
  const take = (page: Page | undefined): void => {
    if (!page) return;
    found = sum(found, page);
    for (const problem of page.problems) request.tally.add(problem);
    request.onProgress?.({ ...found, ofStreams: Math.max(ofStreams, found.streams), problems: request.tally.count() });
  };
  for (let ids = await idsAfter(firstId); ids.length > 0; ids = await idsAfter(ids.at(-1) ?? '')) {
    const wanted = ids;
    const page = database.snapshot(scope, (sql) => verifyPage(sql, request, wanted));
    page.catch(() => undefined); // told where it is awaited, after the page before
    take(await before);
    before = page;
  }
  take(await before);
  return found;
}

type Page = Found & { readonly problems: readonly VerifyProblem[] };

/** What the check of one stream has shown. */
export type StreamVerdict = {
  readonly events: number;
  /** Events behind the last seal of the stream: nobody has signed for them yet. */
  readonly unsealedEvents: number;
  /** The first thing that is wrong; undefined when all is good. */
  readonly problem: VerifyProblem | undefined;
};

/**
 * Verifies the stream of one conversation from its first event to its head, and against what was sealed of it, as of one moment. The signatures of its seals are not
 * checked.
 *
 * @returns undefined when there is no such stream.
 */
export async function verifyStream(
  database: Pick<Database, 'snapshot'>,
  { tenantId, conversationKey }: { readonly tenantId: string; readonly conversationKey: string },
): Promise<StreamVerdict | undefined> {
  return database.snapshot({ tenants: [tenantId] }, async (sql) => {
    const [row] = await sql<{ stream_id: string }>(
      'SELECT stream_id FROM streams WHERE conversation_key = $1 AND tenant_id = $2',
      [conversationKey, tenantId],
    );
    if (row === undefined) return undefined;
    const { events, unsealedEvents, problems } = await verifyPage(sql, { tenantId }, [row.stream_id]);
    return { events, unsealedEvents, problem: problems[0] };
  });
}

const firstId = '00000000-0000-0000-0000-000000000000';

function sum(one: Found, other: Found): Found {
  return {
    streams: one.streams + other.streams,
    events: one.events + other.events,
    unsealedEvents: one.unsealedEvents + other.unsealedEvents,
  };
}

async function countStreams(sql: Sql, { tenantId }: Request): Promise<number> {
  const [row] = await sql<{ count: number }>(
    `SELECT count(*)::float8 AS count FROM streams WHERE $1::text IS NULL OR tenant_id = $1`,
    [tenantId ?? null],
  );
  return row?.count ?? 0;
}

async function verifyPage(sql: Sql, request: Wanted, ids: readonly string[]): Promise<Page> {
  const facts = await readFacts(sql, request, ids);
  const checks = new Map(facts.map((stream) => [stream.streamId, new StreamCheck(stream)]));
  const events = await feedEvents(sql, request, checks);
  const problems = [...checks.values()].flatMap((check) => check.end() ?? []);
  const unsealedEvents = [...checks.values()].reduce((total, check) => total + check.unsealed(), 0);
  return { streams: checks.size, events, unsealedEvents, problems };
}

/** A stream is looked at when any table still knows of it: who deletes one everywhere but in the seals is found as well. */
async function streamIdsAfter(sql: Sql, { tenantId }: Request, after: string): Promise<readonly string[]> {
  const idsIn = (table: string): string =>
    `(SELECT DISTINCT stream_id FROM ${table} WHERE stream_id > $1::uuid AND ($2::text IS NULL OR tenant_id = $2) ORDER BY stream_id LIMIT $3)`;
  const rows = await sql<{ stream_id: string }>(
    `SELECT stream_id FROM (${['streams', 'conversations', 'events', 'sealed_heads'].map(idsIn).join(' UNION ')}) AS ids
     ORDER BY stream_id LIMIT $3`,
    [after, tenantId ?? null, pageOf.streams],
  );
  return rows.map((row) => row.stream_id);
}

type StreamRow = { stream_id: string; conversation_key: string; tenant_id: string };
type ConversationRow = { stream_id: string; tenant_id: string; version: number; head_hash: string };
type HeadRow = { stream_id: string; tenant_id: string; stream_version: number; hash: string };

async function readFacts(sql: Sql, request: Wanted, ids: readonly string[]): Promise<readonly StreamFacts[]> {
  const [sealedBy, streams, conversations, heads] = await Promise.all([
    sealedByOf(sql, request),
    sql<StreamRow>(`SELECT stream_id, conversation_key, tenant_id FROM streams WHERE stream_id = ANY ($1::uuid[])`, [
      ids,
    ]),
    sql<ConversationRow>(
      `SELECT stream_id, tenant_id, version, encode(head_hash, 'hex') AS head_hash
       FROM conversations WHERE stream_id = ANY ($1::uuid[])`,
      [ids],
    ),
    sql<HeadRow>(
      `SELECT stream_id, tenant_id, stream_version, encode(hash, 'hex') AS hash FROM sealed_heads WHERE stream_id = ANY ($1::uuid[])`,
      [ids],
    ),
  ]);
  const streamOf = new Map(
    streams.map((row) => [row.stream_id, { conversationKey: row.conversation_key, tenantId: row.tenant_id }]),
  );
  const conversationOf = new Map(conversations.map((row) => [row.stream_id, row]));
  const headsOf = new Map<string, SealedHead[]>(ids.map((id) => [id, []]));
  for (const row of heads) headsOf.get(row.stream_id)?.push(headOf(row));
  return ids.map((streamId) => {
    const row = conversationOf.get(streamId);
    return {
      streamId,
      stream: streamOf.get(streamId),
      conversation: row && {
        tenantId: row.tenant_id,
        version: row.version,
        headHash: row.head_hash,
      },
      heads: headsOf.get(streamId) ?? [],
      sealedBy,
    };
  });
}

async function sealedByOf(sql: Sql, { sealedWithinMs }: Wanted): Promise<SealedBy | null> {
  if (sealedWithinMs === undefined) return null;
  const [row] = await sql<{ now_ms: number }>(`SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now_ms`);
  const nowMs = row?.now_ms ?? 0;
  return { nowMs, beforeMs: nowMs - sealedWithinMs };
}

type EventRow = RecordColumns & {
  stream_id: string;
  stream_version: number;
  tenant_id: string;
  type: string;
  occurred_ms: number;
  hash: string;
};

/** Reads the events of the page's streams a bounded number at a time: a single stream may be longer than memory. @returns how many. */
async function feedEvents(sql: Sql, { tenantId }: Wanted, checks: ReadonlyMap<string, StreamCheck>): Promise<number> {
  const ids = [...checks.keys()];
  const last = ids.at(-1);
  let count = 0;
  for (let from = { id: ids[0], version: 0 }; ;) {
    const rows = await sql<EventRow>(eventsSql, [from.id, from.version, last, tenantId ?? null, pageOf.events]);
    for (const [index, row] of rows.entries()) {
      if (index % atOneBreath === 0) await nextTurn();
      const check = checks.get(row.stream_id);
      check?.next(rawEventOf(row));
      if (check) count += 1;
    }
    const end = rows.at(-1);
    if (!end || rows.length < pageOf.events) return count;
    from = { id: end.stream_id, version: end.stream_version };
  }
}

const eventsSql = `
  SELECT stream_id, stream_version, tenant_id, event_id, type, payload::text AS payload,
    extract(epoch FROM occurred_at)::float8 * 1000 AS occurred_ms, causation_id, message_id, transaction_id, trace_id,
    record, encode(hash, 'hex') AS hash
  FROM events
  WHERE stream_id >= $1::uuid AND (stream_id, stream_version) > ($1::uuid, $2::int) AND stream_id <= $3::uuid
    AND ($4::text IS NULL OR tenant_id = $4)
  ORDER BY stream_id, stream_version LIMIT $5`;

function rawEventOf(row: EventRow): RawEvent {
  const occurredAt = new Date(Math.round(row.occurred_ms)).toISOString();
  const digested = digestOfRow(row, occurredAt);
  const record = digested.ok ? digested.value : noDigest;
  return {
    version: row.stream_version,
    tenantId: row.tenant_id,
    type: row.type,
    occurredAt,
    transactionId: row.transaction_id,
    hash: row.hash,
    eventId: record.eventId,
    causationId: record.causationId,
    messageId: record.messageId,
    traceId: record.traceId,
    payloadDigest: record.payloadDigest,
  };
}
