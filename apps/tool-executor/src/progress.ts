import { deterministicId } from '@latch/contracts';
import { type ApprovedInvocation } from '@latch/event-store';
import { type CallProgress } from '@latch/mcp';
import { type ReceivedEnvelope } from '@latch/messaging';
import { scrub } from '@latch/outcome';
import { progressSignal } from './envelopes.ts';

/** What forwarding takes. */
export type ProgressParts = {
  readonly emit: (signals: readonly ReceivedEnvelope[]) => void;
  readonly now: () => string;
  /** Milliseconds of a clock that never goes back. @default performance.now */
  readonly monotonic?: () => number;
};

/** Told of the progress of one attempt. */
export type OnProgress = (progress: CallProgress) => void;

const everyMs = 1_000;
const maxPerCall = 60;
const maxMessage = 200;

/**
 * Forwards what a server says of a running call as `IC.TOOL_PROGRESS`: at most one a second and sixty per attempt, with a bounded and scrubbed message. It is a
 * courtesy for who watches: it is not stored, may be lost, and decides nothing.
 */
export function progressForwarder({
  emit,
  now,
  monotonic = () => performance.now(),
}: ProgressParts): (
  approved: ApprovedInvocation,
  of: { readonly tool: string; readonly step: string | null; readonly attempt: number },
) => OnProgress {
  return (approved, { tool, step, attempt }) => {
    let told = 0;
    let lastAt = Number.NEGATIVE_INFINITY;
    return ({ progress, total, message }) => {
      const at = monotonic();
      if (told >= maxPerCall || at - lastAt < everyMs) return;
      told += 1;
      lastAt = at;
      const payload = {
        ...{ invocation_id: approved.invocationId, tool_name: tool, progress },
        ...(step === null ? {} : { step: nameOf(step) }),
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message: scrub(message).slice(0, maxMessage) }),
      };
      const eventId = deterministicId('tool-progress', approved.invocationId, String(attempt), String(told));
      emit([progressSignal(approved, { payload, eventId, timestamp: now() })]);
    };
  };
}

/** The name of a step without the item that this call of it is for: that is the person's (invariant I16). */
function nameOf(step: string): string {
  return step.split(':', 1)[0] ?? '';
}
