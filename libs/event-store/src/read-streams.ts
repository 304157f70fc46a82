import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Sql } from './database.ts';
import { conversationColumns, conversationOf, type ConversationRow } from './read-conversation.ts';
import { eventColumns, eventOf, type EventRow } from './read-events.ts';
import { type StoredConversation, type StoredEvent } from './stored-conversation.ts';

/** A conversation with every event of its stream, as both stood at one version. */
export type StoredStream = { readonly conversation: StoredConversation; readonly events: readonly StoredEvent[] };

/** Which streams, and from where on. */
export type StreamFilter = {
  /** Only conversations of this tenant; all tenants when left out. */
  readonly tenantId?: string;
  /** Stream id after which to begin: that of the last stream that was read. Streams come in the order in which they were begun. */
  readonly after?: string;
  /** Stream id behind which to end. @default that of the last stream that there is at the begin: who reads while others speak would never come to an end */
  readonly until?: string;
  /** The most streams to read. @default all */
  readonly limit?: number;
  /** Only conversations in which something happened at this instant or later. */
  readonly changedSince?: string;
  /** Only these streams. */
  readonly streamIds?: readonly string[];
};

/** Opens what is sealed in the streams of a page. */
export type OpenPage = (page: readonly StoredStream[]) => Promise<readonly StoredStream[]>;

/** How much is in memory at once: this many conversations, or fewer with this many events together, twice (one page is read while the other is used). */
const pageOf = { conversations: 200, events: 4_000 } as const;

/**
 * Streams one after the other, in the order of their ids, with bounded memory: a stream is whole, but never are more than two pages of them there. Streams that
 * are begun meanwhile are not read, and what is appended is not seen: the events of a stream end where the conversation that was read says.
 */
export async function* readStreams(
  sql: Sql,
  filter: StreamFilter,
  open: OpenPage,
): AsyncGenerator<StoredStream, void, undefined> {
  const read = (after: StreamFilter, most: number): Promise<readonly StoredStream[]> => {
    const page = pageAfter(sql, after, most).then(open);
    // It may fail while the page before it is used and nobody awaits it yet, which would end the process: whoever awaits it is told.
    page.catch(() => undefined);
    return page;
  };
  const until = filter.until ?? (await lastStream(sql, filter));
  if (until === undefined) return;
  const bounded = { ...filter, until };
  let left = filter.limit ?? Number.POSITIVE_INFINITY;
  let next = read(bounded, left);
  try {
    for (;;) {
      const page = await next;
      left -= page.length;
      const last = page.at(-1);
      if (last === undefined) return;
      next = read({ ...bounded, after: last.conversation.streamId }, left);
      yield* breathing(page);
    }
  } finally {
    // Whoever stops in the middle leaves a page that nobody waits for.
    await next.catch(() => undefined);
  }
}

/**
 * The page, with a breath before each stream, in which the answers of the database are taken in: whoever uses one stream after the other without waiting would keep
 * them out, and then wait for the next page.
 */
async function* breathing(page: readonly StoredStream[]): AsyncGenerator<StoredStream, void, undefined> {
  for (const stream of page) {
    await nextTurn();
    yield stream;
  }
}

/** How many streams a filter lets through. */
export async function countStreams(sql: Sql, filter: StreamFilter): Promise<number> {
  const [row] = await sql<{ count: number }>(
    `SELECT count(*)::int AS count FROM conversations c WHERE ${letThrough}`,
    valuesOf(filter),
  );
  return Math.min(row?.count ?? 0, filter.limit ?? Number.POSITIVE_INFINITY);
}

/**
 * Cuts what a filter lets through into stretches of at most so many streams, in order: filters that together let through the same, each stream once. They are cut
 * one by one, when they are asked for, up to the last stream that there was at the begin. Each names its streams: whatever is begun or changes meanwhile comes into
 * none that was cut, and pushes none out of it.
 */
export async function* cutStreams(
  sql: Sql,
  filter: StreamFilter,
  most: number,
): AsyncGenerator<StreamFilter, void, undefined> {
  const end = filter.until ?? (await lastStream(sql, filter));
  if (end === undefined) return;
  let left = filter.limit ?? Number.POSITIVE_INFINITY;
  for (let from: StreamFilter = { ...filter, until: end }; left > 0;) {
    const rows = await sql<{ stream_id: string }>(
      `SELECT c.stream_id FROM conversations c WHERE ${letThrough} ORDER BY c.stream_id LIMIT $6`,
      [...valuesOf(from), Math.min(left, most)],
    );
    const streamIds = rows.map((row) => row.stream_id);
    const until = streamIds.at(-1);
    if (until === undefined) return;
    yield { ...(filter.tenantId !== undefined && { tenantId: filter.tenantId }), streamIds, until };
    left -= streamIds.length;
    from = { ...from, after: until };
  }
}

/** One conversation with its stream. */
export async function readStream(sql: Sql, conversation: StoredConversation): Promise<StoredStream | undefined> {
  return (await withEvents(sql, [conversation]))[0];
}

/** The last stream that a filter lets through, in the order in which they were begun; undefined when there is none. */
export async function lastStream(sql: Sql, { tenantId }: StreamFilter): Promise<string | undefined> {
  const [row] = await sql<{ stream_id: string }>(
    `SELECT stream_id FROM conversations WHERE $1::text IS NULL OR tenant_id = $1 ORDER BY stream_id DESC LIMIT 1`,
    [tenantId ?? null],
  );
  return row?.stream_id;
}

/** The first page of the streams that a filter lets through, still sealed; empty when there is none. */
export async function readPage(sql: Sql, filter: StreamFilter): Promise<readonly StoredStream[]> {
  return pageAfter(sql, filter, pageOf.conversations);
}

async function pageAfter(sql: Sql, filter: StreamFilter, most: number): Promise<readonly StoredStream[]> {
  if (most <= 0) return [];
  const rows = await sql<ConversationRow>(
    `SELECT ${conversationColumns} FROM conversations c JOIN streams s USING (stream_id)
     WHERE ${letThrough} ORDER BY c.stream_id LIMIT $6`,
    [...valuesOf(filter), Math.min(most, pageOf.conversations)],
  );
  return withEvents(sql, fitting(rows.map(conversationOf)));
}

/** What a filter says of `conversations c`, with the values of `valuesOf`. */
const letThrough = `c.stream_id > $1::uuid AND ($2::uuid IS NULL OR c.stream_id <= $2)
       AND ($3::text IS NULL OR c.tenant_id = $3) AND ($4::timestamptz IS NULL OR c.updated_at >= $4)
       AND ($5::uuid[] IS NULL OR c.stream_id = ANY($5))`;

function valuesOf({ after, until, tenantId, changedSince, streamIds }: StreamFilter): readonly unknown[] {
  return [after ?? firstId, until ?? null, tenantId ?? null, changedSince ?? null, streamIds ?? null];
}

const firstId = '00000000-0000-0000-0000-000000000000';

/** The first of them, as long as their events fit a page; one at least. */
function fitting(conversations: readonly StoredConversation[]): readonly StoredConversation[] {
  let events = 0;
  const tooMany = conversations.findIndex(({ version }, index) => {
    events += version;
    return index > 0 && events > pageOf.events;
  });
  return tooMany < 0 ? conversations : conversations.slice(0, tooMany);
}

async function withEvents(sql: Sql, conversations: readonly StoredConversation[]): Promise<readonly StoredStream[]> {
  if (conversations.length === 0) return [];
  const rows = await sql<EventRow>(
    `SELECT ${eventColumns}
     FROM unnest($1::uuid[], $2::int[]) AS wanted (stream_id, version)
       JOIN events e ON e.stream_id = wanted.stream_id AND e.stream_version <= wanted.version
       JOIN streams s ON s.stream_id = e.stream_id
     ORDER BY e.stream_id, e.stream_version`,
    [conversations.map(({ streamId }) => streamId), conversations.map(({ version }) => version)],
  );
  const events = new Map<string, StoredEvent[]>(conversations.map(({ streamId }) => [streamId, []]));
  for (const row of rows) events.get(row.stream_id)?.push(eventOf(row));
  return conversations.map((conversation) => ({ conversation, events: events.get(conversation.streamId) ?? [] }));
}
