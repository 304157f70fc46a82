import {
  type BusinessContext,
  type InvocationId,
  type StructuredInputs,
  type ToolResult,
  type TransactionId,
  type TurnId,
} from '@latch/contracts';
import { type Understanding } from './understanding.ts';

/** Values that came beside the text, by the name of the field of GatewayRequest's payload that held them. */
export type ArgumentSources = {
  readonly toolArguments: Readonly<Record<string, unknown>>;
  readonly context: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
};

/** A user message reached us, already read. */
export type UserSpoke = {
  readonly type: 'UserSpoke';
  readonly turnId: TurnId;
  readonly messageId: string;
  readonly channel: string;
  readonly userId: string;
  readonly text: string;
  /** What a button or form sent; where it says anything, the text is not read. */
  readonly inputs: StructuredInputs | null;
  readonly understanding: Understanding;
  readonly businessContext: BusinessContext;
  readonly sources: ArgumentSources;
  /** Fields of the request that this version of the contract does not know. Evidence: they are kept and never read. Absent when there are none. */
  readonly unread?: Readonly<Record<string, unknown>>;
  /**
   * `bodyDigestOf` the request: a turn that is stored again from its events knows a repeat of itself. Evidence, never read. Absent in what was recorded before
   * it was kept.
   */
  readonly bodyDigest?: string;
  /** UTC, by the database's clock: expiry is judged by it. */
  readonly at: string;
  readonly traceId: string;
};

/** The canonical result of a tool call reached us; whether somebody still waits for it is for the decider to say. */
export type ToolResultArrived = {
  readonly type: 'ToolResultArrived';
  readonly invocationId: InvocationId;
  readonly result: ToolResult;
  readonly eventId: string;
  readonly at: string;
};

/** A deadline that `react` had announced has passed. */
export type DeadlinePassed = {
  readonly type: 'DeadlinePassed';
  readonly transactionId: TransactionId;
  readonly rev: number;
  readonly at: string;
};

/** Everything that can happen to a conversation. */
export type TransactionInput = UserSpoke | ToolResultArrived | DeadlinePassed;
