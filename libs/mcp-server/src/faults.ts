import { z } from 'zod';

/** Faults on the wire: what the client gets is no good answer of MCP. With `afterCommit` the tool runs first. */
const onTheWire = [
  ...(['unavailable', 'http_500', 'http_502', 'http_429', 'drop_connection', 'hang'] as const),
  ...(['drip', 'drip_stream', 'cut_stream', 'end_stream'] as const),
  ...([
    'junk',
    'wrong_id',
    'rpc_error',
    'oversized',
    'many_results',
    'deep',
    'output_mismatch',
    'input_required',
  ] as const),
] as const;

/** Faults of the tool itself, as it answers or fails to. */
const ofTheTool = [
  ...(['timeout', 'timeout_after_commit', 'drop_after_commit', 'partial'] as const),
  ...(['error_transient', 'error_business', 'error_permission', 'error_validation'] as const),
  ...(['error_text', 'error_junk_json', 'error_structured'] as const),
  ...(['elicitation', 'elicitation_ignored'] as const),
] as const;

/** Faults of the answer: the tool runs, and tells of it in a way that departs from the contract of `results`. */
const ofTheAnswer = [
  ...(['results_duplicated', 'results_missing', 'results_extra', 'results_reordered'] as const),
  ...(['results_text_booleans', 'results_contradict', 'results_nested', 'results_single'] as const),
] as const;

/**
 * What a test asks a sample server to do wrong, `POST /faults` (the whole table, with what happens and whether there is an effect, stands in
 * docs/reference/sample-mcp-servers.md; a spec compares the two).
 */
export const Fault = z.object({
  /** Name of the tool, or `*` for any. */
  tool: z.string().min(1).max(64),
  kind: z.enum([...onTheWire, ...ofTheTool, ...ofTheAnswer, 'schema_change']),
  /** How many calls it hits. `schema_change` hits none and lasts until the reset. */
  times: z.int().min(1).max(100_000).default(1),
  /** Faults on the wire only: the tool runs first, so that there is an effect that nobody is told of. */
  afterCommit: z.boolean().optional(),
  /** Wait before (for `timeout` and `timeout_after_commit`: instead of) the answer. */
  delayMs: z.int().min(0).max(600_000).optional(),
  retryAfterSeconds: z.int().min(0).max(3_600).optional(),
  /** Size of `oversized` in bytes. @default 8 MiB */
  bytes: z.int().min(1).max(1_073_741_824).optional(),
});
export type Fault = z.output<typeof Fault>;

/** The names of all faults. */
export const faultKinds: readonly Fault['kind'][] = Fault.shape.kind.options;

/** Kinds of {@link Fault} that are played past the MCP library, which would put them right. */
export function isPastMcp(fault: Fault): boolean {
  return onTheWire.some((name) => name === fault.kind) || isOfTheAnswer(fault);
}

/** Whether a fault that is played past the MCP library lets the tool run. */
export function runsTheTool(fault: Fault): boolean {
  return fault.afterCommit === true || isOfTheAnswer(fault);
}

function isOfTheAnswer({ kind }: Fault): boolean {
  return ofTheAnswer.some((name) => name === kind);
}

/** The faults that are switched on; each is used up call by call, in the order in which they were set. At most 100 wait. */
export class Faults {
  private waiting: Fault[] = [];
  private changed: Fault[] = [];

  /** @returns false when 100 faults wait already. */
  add(fault: Fault): boolean {
    if (this.waiting.length + this.changed.length >= 100) return false;
    (fault.kind === 'schema_change' ? this.changed : this.waiting).push(fault);
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

  /** Whether the schema of `tool` is another one than at the start. */
  hasOtherSchema(tool: string): boolean {
    return this.changed.some((fault) => fault.tool === tool || fault.tool === '*');
  }

  /** What still waits, changes of schemas included. */
  list(): readonly Fault[] {
    return [...this.changed, ...this.waiting];
  }

  /** Switches everything off. */
  clear(): void {
    this.waiting = [];
    this.changed = [];
  }
}
