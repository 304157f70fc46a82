import { type Attempt, type BusMessage, type ToolExecution } from '@latch/contracts';
import type pg from 'pg';
import { type ApprovedInvocation } from './conversation-append.ts';
import { type Database, type Sql, type Statement } from './database.ts';
import { type PersonalVault } from './personal-vault.ts';
import { entriesOf, type LedgerEntry, type LedgerRow } from './ledger-entries.ts';
import { clearSeal, ledgerSealFor, type LedgerSeal } from './seal-ledger.ts';

/** Who works on an invocation, and for how long nobody else may. `owner` names one running executor, not the service. */
export type Lease = { readonly owner: string; readonly leaseMs: number };

/** `claimed`: ours. `known`: in the ledger already. `unapproved`: the engine never approved such a call, so nothing may be called. */
export type LedgerClaim = 'claimed' | 'known' | 'unapproved';

/** An attempt that is about to be made. */
export type AttemptToStart = Lease & {
  readonly invocationId: string;
  /** From 1. */
  readonly number: number;
  /** The step of the invocation's workflow that it belongs to; absent for the invocation's own call. */
  readonly step?: string | null;
  /** Attempts that have ended since the last one began; their outcomes are recorded in the same statement. */
  readonly ended?: readonly Attempt[];
};

/** Attempts of an invocation that have ended while it goes on. */
export type EndedAttempts = {
  readonly invocationId: string;
  /** The running executor that made them, as it stands in its lease. */
  readonly owner: string;
  readonly ended: readonly Attempt[];
};

/** What is to be told of an invocation, and by whom. */
export type OutcomeToRecord = {
  readonly invocationId: string;
  /** The running executor that says so, as it stands in its lease. */
  readonly owner: string;
  /** With all attempts, those of earlier owners too. */
  readonly execution: ToolExecution;
  /** The messages that tell it. */
  readonly outgoing: readonly BusMessage[];
};

/** The executor's row machine: CLAIMED -> STARTED(n), committed before the socket write -> DONE. Written by tool-executor only; what was lost of it an operator restores (`restoreLedger`). */
export class ToolLedger {
  constructor(
    private readonly database: Pick<Database, 'sql' | 'within' | 'withinAfter'>,
    private readonly producer: string,
    private readonly vault: PersonalVault,
  ) {}

  /** Takes invocations into the ledger, once each; answers in the order given. Only the ids are used: the rest comes from what the engine approved. */
  async claim(
    invocations: readonly Pick<ApprovedInvocation, 'invocationId'>[],
    { owner, leaseMs }: Lease,
  ): Promise<readonly LedgerClaim[]> {
    if (invocations.length === 0) return [];
    const ids = invocations.map(({ invocationId }) => invocationId);
    const rows = await this.about(ids)<{ invocation_id: string; is_claimed: boolean }>(claimSql, [ids, owner, leaseMs]);
    const approved = new Map(rows.map((row) => [row.invocation_id, row.is_claimed]));
    return ids.map((id, index) => {
      const isClaimed = approved.get(id);
      if (isClaimed === undefined) return 'unapproved';
      return isClaimed && ids.indexOf(id) === index ? 'claimed' : 'known';
    });
  }

  /**
   * Commits that an attempt begins, and prolongs the lease; it must have returned true before a byte is written to the server.
   *
   * @returns false when this attempt was started already, another owner holds the lease, or the outcome is recorded.
   */
  async startAttempt({ invocationId, number, step, owner, leaseMs, ended = [] }: AttemptToStart): Promise<boolean> {
    const endedAt = ended.map(({ ended_at }) => ended_at ?? null);
    const hasPersonalData = ended.length > 0 || typeof step === 'string';
    const started = await this.sealed(invocationId, hasPersonalData, (seal) => {
      const values = [invocationId, number, owner, leaseMs, seal.step({ number, step: step ?? undefined })];
      const numbers = ended.map((attempt) => attempt.number);
      const outcomes = ended.map((attempt) => seal.attempt(attempt));
      const columns = [outcomes.map(({ clear }) => clear), outcomes.map(({ sealed }) => sealed)];
      return { text: startAttemptSql, values: [...values, numbers, endedAt, ...columns] };
    });
    return started.length === 1;
  }

  /**
   * Records how attempts ended while their invocation goes on: what an executor that crashes later has seen is known then. An end that is recorded stays; of an
   * invocation that another has taken over, or whose outcome is recorded, nothing is.
   */
  async saveEnded({ invocationId, owner, ended }: EndedAttempts): Promise<void> {
    if (ended.length === 0) return;
    await this.sealed(invocationId, true, (seal) => {
      const outcomes = ended.map((attempt) => seal.attempt(attempt));
      return {
        text: saveEndedSql,
        values: [
          ...[invocationId, owner, ended.map(({ number }) => number), ended.map(({ ended_at }) => ended_at ?? null)],
          ...[outcomes.map(({ clear }) => clear), outcomes.map(({ sealed }) => sealed)],
        ],
      };
    });
  }

  /**
   * Records the outcome with all its attempts, and the messages that tell it, in one transaction. Only who knows may say it:
   *
   * - nobody has begun an attempt that the outcome does not know of: what runs now is never called refused or lost;
   * - the owner made the last attempt, also when its lease has passed on since; or, where it made none (a refusal, a verdict over what a crash left),
   *   nobody has taken the lease over.
   *
   * The first outcome stays, whoever recorded it.
   *
   * @returns false when the outcome may not be recorded, or one was before: then nothing is stored and nothing may be published.
   */
  async recordOutcome({ invocationId, owner, execution, outgoing }: OutcomeToRecord): Promise<boolean> {
    const { attempts } = execution;
    const known = attempts.at(-1)?.number ?? 0;
    const recorded = await this.sealed(invocationId, true, (seal) => {
      const messages = seal.outgoing(outgoing);
      const stored = seal.execution(execution);
      const outcomes = attempts.map((attempt) => seal.attempt(attempt));
      return {
        text: recordOutcomeSql,
        values: [
          ...[invocationId, stored.clear, owner, known, this.producer],
          attempts.map(({ number }) => number),
          attempts.map(({ started_at }) => started_at),
          attempts.map(({ ended_at }) => ended_at ?? null),
          outcomes.map(({ clear }) => clear),
          attempts.map((attempt) => seal.step(attempt)),
          messages.map(({ eventId }) => eventId),
          messages.map(({ topic }) => topic),
          messages.map(({ key }) => key),
          messages.map(({ value }) => value),
          messages.map(({ headers }) => JSON.stringify(headers)),
          stored.sealed,
          outcomes.map(({ sealed }) => sealed),
        ],
      };
    });
    return recorded.length === 1;
  }

  /**
   * Keeps the leases of invocations that their owner still has in hand, waiting or running, so that leases can be short and those of a dead owner end soon. Only
   * ever prolongs, and gives nothing back that has been taken over.
   */
  async renewLeases(invocationIds: readonly string[], { owner, leaseMs }: Lease): Promise<void> {
    if (invocationIds.length > 0) await this.about(invocationIds)(renewSql, [invocationIds, owner, leaseMs]);
  }

  /** Takes over invocations without an outcome whose lease ended: what a crashed or hanging executor left, oldest first. Safe with many replicas. */
  async resumable({ owner, leaseMs, limit }: Lease & { readonly limit: number }): Promise<readonly LedgerEntry[]> {
    const rows = await this.database.sql<LedgerRow>(resumeSql, [owner, leaseMs, limit]);
    return entriesOf(this.about(rows.map((row) => row.invocation_id)), rows, this.vault);
  }

  /** What the ledger knows of an invocation. */
  async read(invocationId: string): Promise<LedgerEntry | undefined> {
    const sql = this.about([invocationId]);
    const rows = await sql<LedgerRow>(
      `SELECT invocation_id, status, owner, lease_until, execution, sealed_execution FROM tool_ledger WHERE invocation_id = $1`,
      [invocationId],
    );
    const [entry] = await entriesOf(sql, rows, this.vault);
    return entry;
  }

  /** Statements that see the rows of the tenants whose calls these are, as the engine approved them: the executor's word for a tenant opens nothing. */
  private about(invocationIds: readonly string[]): Sql {
    return this.database.within({ invocationIds }, 'by_key');
  }

  /** One statement about an invocation, with what has to be sealed in it sealed in its own transaction. */
  private async sealed(
    invocationId: string,
    hasPersonalData: boolean,
    statement: (seal: LedgerSeal) => Statement,
  ): Promise<readonly pg.QueryResultRow[]> {
    return this.database.withinAfter({ scope: { invocationIds: [invocationId] }, plans: 'by_key' }, async (sql) =>
      statement(hasPersonalData ? await ledgerSealFor(sql, invocationId, this.vault) : clearSeal),
    );
  }
}

const leaseEnd = (ms: string): string => `clock_timestamp() + make_interval(secs => ${ms}::double precision / 1000)`;

const claimSql = `
  WITH approved AS (
    SELECT invocation_id, stream_id, tenant_id FROM approved_invocations WHERE invocation_id = ANY($1::text[])
  ), claimed AS (
    INSERT INTO tool_ledger (invocation_id, stream_id, tenant_id, status, owner, lease_until)
    SELECT invocation_id, stream_id, tenant_id, 'CLAIMED', $2, ${leaseEnd('$3')} FROM approved
    ORDER BY invocation_id
    ON CONFLICT (invocation_id) DO NOTHING
    RETURNING invocation_id
  )
  SELECT invocation_id, claimed.invocation_id IS NOT NULL AS is_claimed
  FROM approved LEFT JOIN claimed USING (invocation_id)`;

/** Two that race for one attempt wait for each other at the row; the second then finds the number taken. */
const startAttemptSql = `
  WITH started AS (
    UPDATE tool_ledger SET status = 'STARTED', attempts = $2::int, owner = $3, lease_until = ${leaseEnd('$4')}
    WHERE invocation_id = $1 AND status <> 'DONE' AND attempts = $2::int - 1
      AND (owner = $3 OR lease_until < clock_timestamp())
    RETURNING invocation_id, tenant_id
  ), ended AS (
    UPDATE tool_attempts a SET ended_at = COALESCE(i.ended_at, clock_timestamp()), outcome = i.outcome::json, sealed_outcome = i.sealed_outcome
    FROM started, unnest($6::int[], $7::timestamptz[], $8::text[], $9::bytea[]) AS i (number, ended_at, outcome, sealed_outcome)
    WHERE a.invocation_id = started.invocation_id AND a.number = i.number
      AND num_nonnulls(a.outcome, a.sealed_outcome) = 0 AND num_nonnulls(i.outcome, i.sealed_outcome) = 1
  )
  INSERT INTO tool_attempts (invocation_id, number, tenant_id, owner, step)
  SELECT invocation_id, $2::int, tenant_id, $3, $5 FROM started
  RETURNING number`;

const saveEndedSql = `
  WITH held AS (
    SELECT invocation_id FROM tool_ledger WHERE invocation_id = $1 AND owner = $2 AND status = 'STARTED' FOR UPDATE
  )
  UPDATE tool_attempts a SET ended_at = COALESCE(i.ended_at, clock_timestamp()), outcome = i.outcome::json, sealed_outcome = i.sealed_outcome
  FROM held, unnest($3::int[], $4::timestamptz[], $5::text[], $6::bytea[]) AS i (number, ended_at, outcome, sealed_outcome)
  WHERE a.invocation_id = held.invocation_id AND a.number = i.number
    AND num_nonnulls(a.outcome, a.sealed_outcome) = 0 AND num_nonnulls(i.outcome, i.sealed_outcome) = 1`;

/**
 * An attempt that begins at the same time is waited for at the row; it then stands in `attempts`, and this outcome does not know of it. Outcome, attempts and
 * messages are one statement, so that they cost one round trip together with their commit.
 */
const recordOutcomeSql = `
  WITH done AS (
    UPDATE tool_ledger SET status = 'DONE', execution = $2::json, sealed_execution = $16::bytea
    WHERE invocation_id = $1 AND status <> 'DONE' AND attempts = $4::int
      AND (owner = $3 OR EXISTS (SELECT FROM tool_attempts WHERE invocation_id = $1 AND number = $4::int AND owner = $3))
    RETURNING invocation_id, stream_id, tenant_id
  ), attempted AS (
    INSERT INTO tool_attempts (invocation_id, tenant_id, owner, number, started_at, ended_at, outcome, sealed_outcome, step)
    SELECT invocation_id, tenant_id, $3, number, started_at, ended_at, outcome::json, sealed_outcome, step
    FROM done, unnest($6::int[], $7::timestamptz[], $8::timestamptz[], $9::text[], $10::text[], $17::bytea[])
      AS i (number, started_at, ended_at, outcome, step, sealed_outcome)
    ON CONFLICT (invocation_id, number) DO UPDATE SET ended_at = excluded.ended_at, outcome = excluded.outcome,
      sealed_outcome = excluded.sealed_outcome
  ), told AS (
    INSERT INTO outbox (stream_id, producer, tenant_id, event_id, topic, key, value, headers)
    SELECT stream_id, $5, tenant_id, event_id, topic, key, value, headers::json
    FROM done, unnest($11::text[], $12::text[], $13::text[], $14::text[], $15::text[])
      WITH ORDINALITY AS i (event_id, topic, key, value, headers, place)
    ORDER BY place
  )
  SELECT invocation_id FROM done`;

const renewSql = `
  UPDATE tool_ledger SET lease_until = ${leaseEnd('$3')}
  WHERE invocation_id = ANY($1::text[]) AND owner = $2 AND status <> 'DONE' AND lease_until < ${leaseEnd('$3')}`;

const resumeSql = `
  SELECT invocation_id, status, owner, lease_until, execution FROM take_over_invocations($1, $2, $3)`;
