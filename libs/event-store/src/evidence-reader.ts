import { type Database, type Sql } from './database.ts';
import { type EvidenceSeal, type SealedHead } from './evidence-seal.ts';
import { type HeadProofStep, leafOf, proveLeaf } from './head-tree.ts';
import { type PersonalVault } from './personal-vault.ts';
import { entriesOf, type LedgerEntry, type LedgerRow } from './ledger-entries.ts';
import { sealedPartOf } from './seal-payload.ts';
import { sealColumns, sealOfRow, type SealRow } from './seal-row.ts';
import { keyIdOf, openingOf } from './seal-value.ts';
import { type StoredEvent } from './stored-conversation.ts';

/** A seal that signs the head of a stream, and the proof that it does. */
export type SealOfStream = {
  readonly seal: EvidenceSeal;
  readonly head: SealedHead;
  readonly proof: readonly HeadProofStep[];
};

/** Reads what an evidence bundle is made of beside events and projections. */
export class EvidenceReader {
  constructor(
    private readonly database: Pick<Database, 'within' | 'sql'>,
    private readonly vault: PersonalVault,
  ) {}

  /** What the executor did for a transaction: each call with its attempts and its outcome, in the order in which they were approved. */
  async receipts(tenantId: string, transactionId: string): Promise<readonly LedgerEntry[]> {
    const sql = this.of(tenantId);
    const rows = await sql<LedgerRow>(
      `SELECT l.invocation_id, l.status, l.owner, l.lease_until, l.execution, l.sealed_execution
       FROM approved_invocations a JOIN tool_ledger l USING (invocation_id)
       WHERE a.transaction_id = $1 AND a.tenant_id = $2 ORDER BY a.approved_at, l.created_at, a.invocation_id`,
      [transactionId, tenantId],
    );
    return entriesOf(sql, rows, this.vault);
  }

  /**
   * What opens the sealed part of each of these events, and nothing else, by their versions. Events without a sealed part, and erased ones, are absent.
   * Base64url of 32 bytes.
   */
  async openings(tenantId: string, events: readonly StoredEvent[]): Promise<ReadonlyMap<number, string>> {
    const sql = this.of(tenantId);
    const sealed = events.flatMap(({ version, payloadText }) => {
      const part = sealedPartOf(JSON.parse(payloadText));
      return part === undefined ? [] : [{ version, part }];
    });
    const keys = await this.vault.keysOf(
      sealed.map(({ part }) => part),
      (ids, of) => of.read(sql, ids),
    );
    return new Map(
      sealed.flatMap(({ version, part }) => {
        const key = keys.get(keyIdOf(part) ?? 0)?.key ?? null;
        return key === null ? [] : [[version, openingOf(part, key).toString('base64url')] as const];
      }),
    );
  }

  /** The last seal that signs a head of this stream; undefined while none does. */
  async sealOf(tenantId: string, streamId: string): Promise<SealOfStream | undefined> {
    const sql = this.of(tenantId);
    const [row] = await sql<SealedHeadRow>(sealSql, [streamId]);
    if (row === undefined) return undefined;
    const head = { streamId, tenantId: row.tenant_id, version: row.stream_version, hash: row.head_hash };
    const leaves = await leavesOf(this.database.sql, row.seal_number);
    const proof = proveLeaf(leaves, leafOf(head));
    return proof && { seal: sealOfRow(row), head, proof };
  }

  private of(tenantId: string): Sql {
    return this.database.within({ tenants: [tenantId] });
  }
}

type SealedHeadRow = SealRow & { tenant_id: string; stream_version: number; head_hash: string };

const sealSql = `
  SELECT ${sealColumns}, h.tenant_id, h.stream_version, encode(h.hash, 'hex') AS head_hash
  FROM sealed_heads h JOIN seals s USING (seal_number)
  WHERE h.stream_id = $1::uuid ORDER BY h.seal_number DESC LIMIT 1`;

async function leavesOf(sql: Sql, sealNumber: string): Promise<readonly string[]> {
  const [row] = await sql<{ leaves: string[] | null }>(`SELECT leaves_of_seal($1) AS leaves`, [sealNumber]);
  return row?.leaves ?? [];
}
