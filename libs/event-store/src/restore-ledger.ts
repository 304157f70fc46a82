import { type ToolExecution } from '@latch/contracts';
import { type IndexedRecords } from './index-records.ts';
import { type ApprovedInvocation } from './conversation-append.ts';
import { type Sql } from './database.ts';
import { type PersonalVault } from './personal-vault.ts';
import { type ProvenCall } from './proven-call.ts';
import { ledgerSealFor } from './seal-ledger.ts';
import { type StreamProjection } from './stream-projection.ts';

/** What was done about the ledger of one stream. */
export type RestoredLedger = {
  /** Rows that were written. */
  readonly rows: number;
  /** Calls of which the ledger knows nothing and that may still begin: nobody can tell one that is on its way from one whose row was lost. */
  readonly mayBegin: number;
};

/** Where it is restored, and as of when. */
export type LedgerAround = {
  readonly sql: Sql;
  readonly vault: PersonalVault;
  /** Database clock. */
  readonly now: string;
  readonly tenantId: string;
  readonly streamId: string;
};

/**
 * Restores what the events prove of the ledger, after rows of it were lost; what is there stays.
 *
 * - A call with a recorded result has ended. It is DONE, whatever the ledger says, and never begins again. Its raw answer is not known: the execution is marked as
 *   rebuilt and claims nothing.
 * - A call without one, with an effect, that the engine still waits for and that may not begin any more: whether it had begun is not known, so nobody may say that
 *   it had not. It stands as STARTED with an attempt without an end, and the executor judges it like the call of one that crashed: its outcome is unknown, and is
 *   asked for. So does a call whose attempts are still there.
 * - A call that may still begin is left alone: its record is perhaps just on its way, and it must not be kept from it.
 */
export async function restoreLedger(
  around: LedgerAround,
  { invocations = [], calls = [] }: StreamProjection,
  records: IndexedRecords,
): Promise<RestoredLedger> {
  const approvals = new Map(invocations.map((approved) => [approved.invocationId, approved]));
  let [rows, mayBegin] = [0, 0];
  for (const call of calls) {
    const approved = approvals.get(call.invocationId);
    if (approved === undefined) continue;
    const finding = judge(call, approved, { records, now: around.now });
    if (finding === 'may_begin') mayBegin += 1;
    if (finding === 'ended') rows += await writeEnded(around, { call, approved, records });
    if (finding === 'begun') rows += await writeBegun(around, { call, approved, records });
  }
  return { rows, mayBegin };
}

type Finding = 'as_it_is' | 'ended' | 'begun' | 'may_begin';

function judge(
  { invocationId, outcome, isAwaited }: ProvenCall,
  { expiresAt }: ApprovedInvocation,
  { records, now }: { readonly records: IndexedRecords; readonly now: string },
): Finding {
  const row = records.ledger(invocationId);
  if (outcome !== null) return row?.status === 'DONE' ? 'as_it_is' : 'ended';
  if (row !== undefined) return 'as_it_is';
  if (records.attemptsOf(invocationId).length > 0) return 'begun';
  if (!isAwaited) return 'as_it_is';
  return expiresAt !== null && Date.parse(expiresAt) <= Date.parse(now) ? 'begun' : 'may_begin';
}

type Restored = { readonly call: ProvenCall; readonly approved: ApprovedInvocation; readonly records: IndexedRecords };

async function writeEnded(
  { sql, vault, ...stream }: LedgerAround,
  { call, approved, records }: Restored,
): Promise<number> {
  const { invocationId, outcome } = call;
  if (outcome === null) return 0;
  const execution: ToolExecution = {
    contract_version: 'tool-execution-v1',
    invocation_id: invocationId,
    invocation: approved.invocation,
    outcome: {
      kind: 'lost',
      reason: `The executor's record was lost. The result stands in event ${outcome.sequence}.`,
    },
    attempts: [],
    latency_ms: outcome.result.latency_ms,
    rebuilt: { sequence: outcome.sequence },
  };
  const seal = await ledgerSealFor(sql, invocationId, vault);
  const { clear, sealed } = seal.execution(execution);
  const known = records.attemptsOf(invocationId).at(-1)?.number;
  const attempts = known ?? outcome.result.attempts ?? 0;
  const written = await sql(endedSql, [
    invocationId,
    stream.streamId,
    stream.tenantId,
    rebuiltBy,
    attempts,
    clear,
    sealed,
  ]);
  return written.length;
}

async function writeBegun({ sql, ...stream }: LedgerAround, { call, records }: Restored): Promise<number> {
  const { invocationId } = call;
  const known = records.attemptsOf(invocationId).at(-1)?.number ?? 0;
  const written = await sql(begunSql, [invocationId, stream.streamId, stream.tenantId, rebuiltBy, known]);
  return written.length === 0 ? 0 : known === 0 ? 2 : 1;
}

/** In the place of the executor: nobody holds the lease, so that the first one that sweeps takes the call over. */
const rebuiltBy = 'rebuilt';

const endedSql = `
  INSERT INTO tool_ledger AS l (invocation_id, stream_id, tenant_id, status, owner, lease_until, attempts, execution, sealed_execution)
  VALUES ($1, $2::uuid, $3, 'DONE', $4, clock_timestamp(), $5::int, $6::json, $7::bytea)
  ON CONFLICT (invocation_id) DO UPDATE SET status = 'DONE', execution = excluded.execution, sealed_execution = excluded.sealed_execution
  WHERE l.status <> 'DONE' AND l.stream_id = excluded.stream_id
  RETURNING invocation_id`;

/** The attempts that are there are kept; where none is, one stands for what may have been sent. */
const begunSql = `
  WITH restored AS (
    INSERT INTO tool_ledger (invocation_id, stream_id, tenant_id, status, owner, lease_until, attempts)
    VALUES ($1, $2::uuid, $3, 'STARTED', $4, clock_timestamp(), GREATEST($5::int, 1))
    ON CONFLICT (invocation_id) DO NOTHING
    RETURNING invocation_id, tenant_id
  ), attempted AS (
    INSERT INTO tool_attempts (invocation_id, number, tenant_id, owner)
    SELECT invocation_id, 1, tenant_id, $4 FROM restored WHERE $5::int = 0
    ON CONFLICT (invocation_id, number) DO NOTHING
  )
  SELECT invocation_id FROM restored`;
