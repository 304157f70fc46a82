import { type BusMessage } from '@latch/contracts';
import { type Sql } from './database.ts';
import {
  type EvidenceSeal,
  firstPreviousHash,
  headsDigestOf,
  type SealedHead,
  sealHash,
  signedText,
} from './evidence-seal.ts';
import { insertOutgoing } from './outbox.ts';
import { type SigningKey } from './signing-key.ts';
import { openScope } from './tenant-scope.ts';

/** One round of sealing. */
export type SealingRound = {
  readonly key: SigningKey;
  /** The most events that one seal covers. */
  readonly maxEvents: number;
  /** The message that tells the seal to the world: whoever keeps it notices when seals are taken away later. */
  readonly announce: (seal: EvidenceSeal) => BusMessage;
};

/** What a round did: a seal and its message (in the outbox, to be published now); or nothing new; or another replica is sealing. */
export type SealingOutcome =
  | { readonly kind: 'sealed'; readonly seal: EvidenceSeal; readonly message: BusMessage }
  | { readonly kind: 'nothing_new' }
  | { readonly kind: 'busy' };

/** The stream of messages that belong to no conversation. */
const noStream = '00000000-0000-0000-0000-000000000000';

/**
 * Seals the next events in the global order, inside one transaction: signs the heads of their streams, chained to the seal before. One replica seals at a time;
 * a round that crashed has left nothing, and the next one begins where the last seal ended.
 */
export async function sealEvidence(
  { sql, now, producer }: { readonly sql: Sql; readonly now: string; readonly producer: string },
  { key, maxEvents, announce }: SealingRound,
): Promise<SealingOutcome> {
  const [lock] = await sql<{ ours: boolean }>(`SELECT pg_try_advisory_xact_lock(hashtext('latch.seals')) AS ours`);
  if (!lock?.ours) return { kind: 'busy' };
  const last = await lastSeal(sql);
  const { heads, reach } = await nextHeads(sql, last, maxEvents);
  if (!reach) return { kind: 'nothing_new' };
  const unsigned = {
    number: (last?.number ?? 0) + 1,
    previousHash: last?.hash ?? firstPreviousHash,
    sealedAt: now,
    ...reach,
    heads: heads.length,
    headsDigest: headsDigestOf(heads),
    keyId: key.keyId,
  };
  const hash = sealHash(unsigned);
  const seal = { ...unsigned, hash, signature: key.sign(signedText(hash)) };
  const message = announce(seal);
  await Promise.all([
    openScope(sql, { tenants: [...new Set(['*', ...heads.map(({ tenantId }) => tenantId)])] }),
    insertSeal(sql, seal),
    insertHeads(sql, seal.number, heads),
    insertOutgoing(sql, producer, [{ streamId: noStream, tenantId: '*', outgoing: [message] }]),
  ]);
  return { kind: 'sealed', seal, message };
}

type Last = Pick<EvidenceSeal, 'number' | 'hash' | 'writtenBy' | 'position'>;

async function lastSeal(sql: Sql): Promise<Last | undefined> {
  const [row] = await sql<{ seal_number: string; hash: string; written_by: string; position: string }>(
    `SELECT seal_number, hash, written_by::text AS written_by, position FROM seals ORDER BY seal_number DESC LIMIT 1`,
  );
  return row && { number: Number(row.seal_number), hash: row.hash, writtenBy: row.written_by, position: row.position };
}

type HeadRow = {
  stream_id: string;
  tenant_id: string;
  stream_version: number;
  hash: string;
  written_by: string;
  position: string;
  events: number;
};

async function nextHeads(
  sql: Sql,
  after: Last | undefined,
  maxEvents: number,
): Promise<{
  heads: readonly SealedHead[];
  reach: Pick<EvidenceSeal, 'writtenBy' | 'position' | 'events'> | undefined;
}> {
  const rows = await sql<HeadRow>(
    `SELECT stream_id, tenant_id, stream_version, hash, written_by, position, events FROM heads_to_seal($1, $2, $3)`,
    [after?.writtenBy ?? '0', after?.position ?? '0', maxEvents],
  );
  const [first] = rows;
  return {
    heads: rows.map((row) => ({
      streamId: row.stream_id,
      tenantId: row.tenant_id,
      version: row.stream_version,
      hash: row.hash,
    })),
    reach: first && { writtenBy: first.written_by, position: first.position, events: first.events },
  };
}

async function insertSeal(sql: Sql, seal: EvidenceSeal): Promise<void> {
  await sql(
    `INSERT INTO seals (seal_number, previous_hash, sealed_at, written_by, position, events, heads, heads_digest, hash, key_id, signature)
     VALUES ($1, $2, $3, $4::text::xid8, $5, $6, $7, $8, $9, $10, $11)`,
    [
      seal.number,
      seal.previousHash,
      seal.sealedAt,
      seal.writtenBy,
      seal.position,
      seal.events,
      seal.heads,
      seal.headsDigest,
      seal.hash,
      seal.keyId,
      seal.signature,
    ],
  );
}

async function insertHeads(sql: Sql, sealNumber: number, heads: readonly SealedHead[]): Promise<void> {
  await sql(
    `INSERT INTO sealed_heads (seal_number, stream_id, tenant_id, stream_version, hash)
     SELECT $1, stream_id, tenant_id, stream_version, decode(hash, 'hex')
     FROM unnest($2::uuid[], $3::text[], $4::int[], $5::text[]) AS i (stream_id, tenant_id, stream_version, hash)`,
    [
      sealNumber,
      heads.map(({ streamId }) => streamId),
      heads.map(({ tenantId }) => tenantId),
      heads.map(({ version }) => version),
      heads.map(({ hash }) => hash),
    ],
  );
}
