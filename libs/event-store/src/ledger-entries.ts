import { type Attempt, RawOutcome, ToolExecution } from '@latch/contracts';
import { type ApprovedInvocation } from './conversation-append.ts';
import { type Sql } from './database.ts';
import { isErased } from './erased.ts';
import { type PersonalVault } from './personal-vault.ts';
import { readSealedInvocations } from './read-sealed.ts';
import { openLedgerValue } from './seal-ledger.ts';
import { attemptPlace, executionPlace, stepPlace } from './seal-places.ts';
import { isSealed } from './seal-value.ts';
import { sealedOfBytes } from './sealed-column.ts';
import { type Keys, openSealed } from './unsealings.ts';

/** CLAIMED: no attempt yet. STARTED: at least one attempt began. DONE: the outcome is recorded, for ever. */
export type LedgerStatus = 'CLAIMED' | 'STARTED' | 'DONE';

/** Everything that the ledger knows of one invocation. */
export type LedgerEntry = {
  readonly invocationId: string;
  readonly approved: ApprovedInvocation;
  readonly status: LedgerStatus;
  readonly owner: string;
  readonly leaseUntil: string;
  /** Attempts in order. The last one of a STARTED invocation may lack its outcome: then nobody knows whether it had its effect. */
  readonly attempts: readonly Attempt[];
  /** The recorded outcome; null unless DONE, or where it is erased. */
  readonly execution: ToolExecution | null;
};

/** A row of the ledger as it is stored. */
export type LedgerRow = {
  invocation_id: string;
  status: LedgerStatus;
  owner: string;
  lease_until: Date;
  execution: unknown;
  /** Absent from what is taken over: that has none yet. */
  sealed_execution?: Buffer | null;
};

/** Rows of the ledger with their approvals and attempts, opened. What is erased is absent. */
export async function entriesOf(
  sql: Sql,
  rows: readonly LedgerRow[],
  vault: PersonalVault,
): Promise<readonly LedgerEntry[]> {
  const ids = rows.map((row) => row.invocation_id);
  const [approved, attempts] = await Promise.all([readSealedInvocations(sql, ids, vault), readAttempts(sql, ids)]);
  const sealed = [...rows.map(executionIn), ...attempts.flatMap((attempt) => [outcomeIn(attempt), attempt.step])];
  const keys = await vault.keysOf(
    sealed.map((value) => (isSealed(value) ? value : undefined)),
    (keyIds, of) => of.read(sql, keyIds),
  );
  return rows.flatMap((row) => {
    const invocation = approved.get(row.invocation_id);
    return invocation ? entryOf(row, { approved: invocation, attempts, keys }) : [];
  });
}

type Parts = {
  readonly approved: ApprovedInvocation;
  readonly attempts: readonly AttemptRow[];
  readonly keys: Keys;
};

function entryOf(row: LedgerRow, { approved, attempts, keys }: Parts): LedgerEntry {
  const execution = openLedgerValue(executionIn(row), executionPlace(approved), keys);
  return {
    invocationId: row.invocation_id,
    approved,
    status: row.status,
    owner: row.owner,
    leaseUntil: row.lease_until.toISOString(),
    attempts: attempts
      .filter(({ invocation_id }) => invocation_id === row.invocation_id)
      .map((attempt) => attemptOf(attempt, approved, keys)),
    execution: execution === null || isErased(execution) ? null : ToolExecution.parse(execution),
  };
}

type AttemptRow = {
  invocation_id: string;
  number: number;
  started_at: Date;
  ended_at: Date | null;
  outcome: unknown;
  sealed_outcome: Buffer | null;
  step: string | null;
};

function executionIn({ execution, sealed_execution: sealed }: LedgerRow): unknown {
  return sealed ? sealedOfBytes(sealed) : execution;
}

function outcomeIn({ outcome, sealed_outcome: sealed }: AttemptRow): unknown {
  return sealed === null ? outcome : sealedOfBytes(sealed);
}

async function readAttempts(sql: Sql, ids: readonly string[]): Promise<readonly AttemptRow[]> {
  if (ids.length === 0) return [];
  return sql<AttemptRow>(
    `SELECT invocation_id, number, started_at, ended_at, outcome, sealed_outcome, step FROM tool_attempts
     WHERE invocation_id = ANY($1::text[]) ORDER BY invocation_id, number`,
    [ids],
  );
}

function attemptOf(row: AttemptRow, approved: ApprovedInvocation, keys: Keys): Attempt {
  const place = { ...approved, number: row.number };
  const outcome = openLedgerValue(outcomeIn(row), attemptPlace(place), keys);
  const step = isSealed(row.step) ? openSealed(row.step, stepPlace(place), keys) : row.step;
  return {
    number: row.number,
    started_at: row.started_at.toISOString(),
    ...(row.ended_at && { ended_at: row.ended_at.toISOString() }),
    ...(outcome !== null && !isErased(outcome) && { outcome: RawOutcome.parse(outcome) }),
    ...(step !== null && { step }),
  };
}
