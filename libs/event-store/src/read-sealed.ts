import { readApprovedInvocations } from './approved-invocations.ts';
import { type ApprovedInvocation } from './conversation-append.ts';
import { type Sql } from './database.ts';
import { type OutboxReader } from './outbox.ts';
import { type PersonalVault } from './personal-vault.ts';
import { type StoredStream } from './read-streams.ts';
import { conversationUnsealing, eventUnsealing, invocationUnsealing } from './unseal.ts';

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

/** Streams, one after the other, their events and snapshots opened. Keys are asked for once per page of streams. */
export async function* unsealStreams(
  sql: Sql,
  streams: AsyncIterable<StoredStream>,
  vault: PersonalVault,
): AsyncGenerator<StoredStream, void, undefined> {
  for await (const { conversation, events } of streams) {
    const [opened] = await vault.unseal(sql, [conversation], conversationUnsealing);
    yield { conversation: opened ?? conversation, events: await vault.unseal(sql, events, eventUnsealing) };
  }
}
