import { readApprovedInvocations } from './approved-invocations.ts';
import { type ApprovedInvocation } from './conversation-append.ts';
import { type Sql } from './database.ts';
import { type OutboxReader } from './outbox.ts';
import { type PersonalVault } from './personal-vault.ts';
import { type StoredStream } from './read-streams.ts';
import { eventUnsealing, invocationUnsealing, snapshotUnsealing } from './unsealings.ts';

/** What the engine approved under these ids, opened. */
export async function readSealedInvocations(
  sql: Sql,
  invocationIds: readonly string[],
  vault: PersonalVault,
): Promise<Map<string, ApprovedInvocation>> {
  const stored = await readApprovedInvocations(sql, invocationIds);
  const opened = await vault.unseal(sql, [...stored.values()], invocationUnsealing);
  return new Map(opened.map((approved) => [approved.invocationId, approved]));
}

/** The outbox as its relay reads it, each message as it has to be published. */
export function sealedOutboxReader(sql: Sql, outbox: OutboxReader, vault: PersonalVault): OutboxReader {
  return { ...outbox, readPending: async (request) => vault.unsealOutbox(sql, await outbox.readPending(request)) };
}

/** The streams of a page, their events and snapshots opened. Keys are asked for once a page. */
export async function unsealPage(
  sql: Sql,
  page: readonly StoredStream[],
  vault: PersonalVault,
): Promise<readonly StoredStream[]> {
  const [conversations, events] = await Promise.all([
    vault.unseal(
      sql,
      page.map(({ conversation }) => conversation),
      snapshotUnsealing,
    ),
    vault.unseal(
      sql,
      page.flatMap((stream) => stream.events),
      eventUnsealing,
    ),
  ]);
  let from = 0;
  return page.map((stream, index) => {
    const own = events.slice(from, from + stream.events.length);
    from += stream.events.length;
    return { conversation: conversations[index] ?? stream.conversation, events: own };
  });
}
