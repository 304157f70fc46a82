import { type Attempt, type BusMessage, type ToolExecution } from '@latch/contracts';
import { type ApprovedInvocation } from './conversation-append.ts';

/** Who works on an invocation, and for how long nobody else may. */
export type Lease = { readonly owner: string; readonly leaseMs: number };

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
  /** The recorded outcome; null unless DONE. */
  readonly execution: ToolExecution | null;
};

/** `claimed`: ours. `known`: in the ledger already. `unapproved`: the engine never approved such a call, so nothing may be called. */
export type LedgerClaim = 'claimed' | 'known' | 'unapproved';

/** The executor's row machine: CLAIMED -> STARTED(n), committed before the socket write -> DONE. Written by tool-executor only. */
export declare class ToolLedger {
  /** Takes invocations into the ledger, once each, in the order given. Only the ids are used: the rest comes from what the engine approved. */
  claim(
    invocations: readonly Pick<ApprovedInvocation, 'invocationId'>[],
    lease: Lease,
  ): Promise<readonly LedgerClaim[]>;
  /**
   * Commits that attempt `number` (from 1) begins, and prolongs the lease; must return true before a byte is written to the server.
   *
   * @param previous the attempt before, which ended and may be repeated; its outcome is recorded in the same statement.
   * @returns false when the attempt was already started, another owner holds the lease, or the outcome is recorded.
   */
  startAttempt(
    attempt: Lease & { readonly invocationId: string; readonly number: number; readonly previous?: Attempt },
  ): Promise<boolean>;
  /**
   * Records the outcome with all its attempts, and the message that tells it, in one transaction. The first outcome stays.
   *
   * @returns false when an outcome was recorded before: then nothing is stored and nothing may be published.
   */
  recordOutcome(invocationId: string, execution: ToolExecution, outgoing: BusMessage): Promise<boolean>;
  /** Takes over invocations without an outcome whose lease ended: what a crashed or hanging executor left. Safe with many replicas. */
  resumable(request: Lease & { readonly limit: number }): Promise<readonly LedgerEntry[]>;
  /** What the ledger knows of an invocation. */
  read(invocationId: string): Promise<LedgerEntry | undefined>;
}
