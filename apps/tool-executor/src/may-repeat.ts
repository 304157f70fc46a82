import { type Attempt, type RawOutcome, type StructuredError, type ToolConfig } from '@latch/contracts';
import { type ApprovedInvocation, type LedgerEntry } from '@latch/event-store';
import { isMutating } from '@latch/outcome';

/** An attempt that ended, and the error that it ended in. */
export type FailedAttempt = {
  /** Whether the call may change the world. */
  readonly isMutating: boolean;
  readonly tool: Pick<ToolConfig, 'declaredIdempotent' | 'maxAttempts'>;
  readonly outcome: RawOutcome;
  readonly error: StructuredError;
  /** Attempts and refusals so far, this one included. */
  readonly tries: number;
};

/**
 * Whether a failed attempt may be followed by another one under the same key: only a transient error, only so often, and only where a second request can
 * do no harm, because the tool is a read, the operator declared it idempotent, or the request certainly never left.
 */
export function mayRepeat({ isMutating: hasEffect, tool, outcome, error, tries }: FailedAttempt): boolean {
  if (!error.isRetryable || tries >= tool.maxAttempts) return false;
  return !hasEffect || tool.declaredIdempotent || isUnsent(outcome);
}

/**
 * What a crash between an attempt and its outcome means: `retry` under the same key where a repeat is harmless, else the outcome is `lost`, and the engine
 * asks the declared reconcile tool or says that nobody knows. An invocation without an attempt is simply begun.
 */
export function resolveCrash(
  entry: Pick<LedgerEntry, 'approved' | 'attempts'>,
  tool: Pick<ToolConfig, 'declaredIdempotent'>,
): 'retry' | 'lost' {
  const isOpen = entry.attempts.some(({ outcome }) => outcome === undefined);
  return !isOpen || isHarmlessToRepeat(entry.approved, tool) ? 'retry' : 'lost';
}

/** The attempts of a crashed instance, with what can be said of the one that it did not finish. */
export function closeLostAttempts(attempts: readonly Attempt[]): readonly Attempt[] {
  return attempts.map((attempt) => (attempt.outcome === undefined ? { ...attempt, outcome: lostOutcome } : attempt));
}

/** What is recorded of an attempt whose end nobody saw. */
export const lostOutcome: RawOutcome = {
  kind: 'lost',
  reason: 'The executor stopped between the call and its outcome.',
};

/** The approval says what the call is; a tool that is configured as a read and approved as an execution with effect stays one with effect. */
function isHarmlessToRepeat(
  { operationType, purpose }: ApprovedInvocation,
  tool: Pick<ToolConfig, 'declaredIdempotent'>,
): boolean {
  return tool.declaredIdempotent || !isMutating({ operation_type: operationType, purpose });
}

function isUnsent(outcome: RawOutcome): boolean {
  return outcome.kind === 'refused' || outcome.sent === false;
}
