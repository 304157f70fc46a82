import { z } from 'zod';

/** Faults in front of the tool: it does not run and has no effect. */
const beforeTheTool = ['unavailable', 'drop_connection', 'junk', 'oversized'] as const;

/** Faults of the tool itself, as it answers or fails to. */
const ofTheTool = [
  ...(['timeout', 'timeout_after_commit', 'drop_after_commit', 'partial'] as const),
  ...(['error_transient', 'error_business', 'error_permission', 'error_validation', 'error_text'] as const),
] as const;

/**
 * What a test asks a sample server to do wrong, `POST /faults`:
 *
 * | kind | what happens | effect |
 * |---|---|---|
 * | `unavailable` | HTTP 503, with `Retry-After` when `retryAfterSeconds` is given | none |
 * | `drop_connection` | the socket is closed without an answer | none |
 * | `junk` | HTTP 200 with a body that is not JSON | none |
 * | `oversized` | HTTP 200 with a valid answer of 8 MiB | none |
 * | `timeout` | no answer for `delayMs` (default 60,000), then a transient error | none |
 * | `timeout_after_commit` | the tool runs, its answer comes `delayMs` (default 60,000) late | yes |
 * | `drop_after_commit` | the tool runs, then the socket is closed without an answer | yes |
 * | `partial` | only the first item of several is processed, the others fail as retryable | one item |
 * | `error_transient`, `error_business`, `error_permission`, `error_validation` | `isError` with a StructuredError | none |
 * | `error_text` | `isError` with a plain sentence that says nothing about why | none |
 */
export const Fault = z.object({
  /** Name of the tool, or `*` for any. */
  tool: z.string().min(1).max(64),
  kind: z.enum([...beforeTheTool, ...ofTheTool]),
  /** How many calls it hits. */
  times: z.int().min(1).max(100_000).default(1),
  /** Wait before (for `timeout` and `timeout_after_commit`: instead of) the answer. */
  delayMs: z.int().min(0).max(600_000).optional(),
  retryAfterSeconds: z.int().min(0).max(3_600).optional(),
});
export type Fault = z.output<typeof Fault>;

/** Kinds of {@link Fault} that are played before the tool is reached. */
export function isBeforeTheTool(fault: Fault): boolean {
  return beforeTheTool.some((kind) => kind === fault.kind);
}

/** The faults that are switched on; each is used up call by call, in the order in which they were set. At most 100 wait. */
export class Faults {
  private waiting: Fault[] = [];

  /** @returns false when 100 faults wait already. */
  add(fault: Fault): boolean {
    if (this.waiting.length >= 100) return false;
    this.waiting.push(fault);
    return true;
  }

  /** Takes the next fault for a call of `tool`; null: the call goes through. */
  take(tool: string): Fault | null {
    const index = this.waiting.findIndex((fault) => fault.tool === tool || fault.tool === '*');
    const fault = this.waiting[index];
    if (fault === undefined) return null;
    if (fault.times > 1) this.waiting[index] = { ...fault, times: fault.times - 1 };
    else this.waiting.splice(index, 1);
    return fault;
  }

  /** What still waits. */
  list(): readonly Fault[] {
    return this.waiting;
  }

  /** Switches everything off. */
  clear(): void {
    this.waiting = [];
  }
}
