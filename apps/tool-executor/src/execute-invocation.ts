import { setTimeout as sleep } from 'node:timers/promises';
import { type Attempt, type PlatformConfig, type RawOutcome, type ToolExecution } from '@latch/contracts';
import { type ApprovedInvocation, type ToolLedger } from '@latch/event-store';
import { type McpClientPool, retryDelay } from '@latch/mcp';
import { type Logger } from '@latch/observability';
import { classifyError } from '@latch/outcome';
import { authorize, type AuthorizedTool } from './authorize.ts';
import { checkExpiry, type Refusal } from './check-capsule.ts';
import { type DatabaseClock } from './database-clock.ts';
import { mapArguments } from './map-arguments.ts';
import { closeLostAttempts, lostOutcome, mayRepeat, resolveCrash } from './may-repeat.ts';
import { type ServerGates } from './server-gates.ts';
import { type SettleOutcome } from './settle-outcome.ts';

/** An approved call that is ours to make: fresh, or taken over with the attempts of an instance that is gone. */
export type InvocationWork = {
  readonly approved: ApprovedInvocation;
  readonly attempts: readonly Attempt[];
  readonly traceparent?: string | undefined;
};

/** What executing takes. */
export type ExecutorParts = {
  readonly config: PlatformConfig;
  readonly ledger: Pick<ToolLedger, 'startAttempt'>;
  readonly mcp: Pick<McpClientPool, 'callTool'>;
  readonly gates: Pick<ServerGates, 'enter'>;
  readonly clock: Pick<DatabaseClock, 'now'>;
  readonly settle: SettleOutcome;
  readonly logger: Logger;
  /** Names this running instance in the ledger. */
  readonly owner: string;
  /** From 0 to 1: the jitter of the pauses. */
  readonly random: () => number;
};

/** How a call ended, before it is recorded. */
export type Ending = { readonly outcome: RawOutcome; readonly attempts: readonly Attempt[] };

/** An attempt belongs to its instance for its own budget and this much longer, so that its outcome can still be recorded. */
const leaseMarginMs = 5_000;

/**
 * Makes one approved call: authorize, check the approval's expiry, commit the attempt, call under the total deadline, repeat only what may be repeated and
 * under the same key, record the outcome once (DESIGN section 6). A call that another instance has begun meanwhile is left to it: the ledger takes no
 * refusal over a running call.
 *
 * @throws RetryableError when the database does not answer: nothing was sent, or the outcome is recorded by whoever takes the lease over.
 */
export async function executeInvocation(work: InvocationWork, parts: ExecutorParts): Promise<void> {
  const from = performance.now();
  const authorized = authorize(work.approved, parts.config);
  const ending = authorized.ok ? await makeCall(work, authorized.value, parts) : refused(work, authorized.error);
  if (ending === null) {
    parts.logger.info('invocation.left_to_other', { invocation_id: work.approved.invocationId });
    return;
  }
  const tool = authorized.ok ? authorized.value.tool : null;
  await parts.settle({
    work,
    owner: parts.owner,
    execution: executionOf(work, ending, {
      server: tool?.server,
      isIdempotent: tool?.declaredIdempotent ?? false,
      latencyMs: performance.now() - from,
    }),
  });
}

async function makeCall(work: InvocationWork, target: AuthorizedTool, parts: ExecutorParts): Promise<Ending | null> {
  const attempts = closeLostAttempts(work.attempts);
  if (resolveCrash(work, target.tool) === 'lost') return { outcome: lostOutcome, attempts };
  const expired = checkExpiry(work.approved, parts.clock.now());
  if (expired !== null) return { outcome: { kind: 'refused', error: expired }, attempts };
  return repeatAttempts({ work, target, endsAt: performance.now() + target.tool.timeoutMs }, attempts, parts);
}

type RunningCall = { readonly work: InvocationWork; readonly target: AuthorizedTool; readonly endsAt: number };

async function repeatAttempts(
  call: RunningCall,
  before: readonly Attempt[],
  parts: ExecutorParts,
): Promise<Ending | null> {
  let attempts = before;
  for (let tries = 1; ; tries += 1) {
    const ending = await makeAttempt(call, attempts, parts);
    if (ending === null) return null;
    const pauseMs = pauseBeforeNext(call, ending, { tries, parts });
    if (pauseMs === null) return ending;
    attempts = ending.attempts;
    await sleep(pauseMs);
  }
}

/** One attempt, through the server's gates. @returns null when another instance has taken the call over. */
async function makeAttempt(
  call: RunningCall,
  attempts: readonly Attempt[],
  parts: ExecutorParts,
): Promise<Ending | null> {
  const { tool, server } = call.target;
  const passage = await parts.gates.enter(server, remainingMs(call));
  if (!passage.ok) return { outcome: { kind: 'refused', error: passage.error }, attempts };
  let outcome: RawOutcome | null = null;
  try {
    const startedAt = parts.clock.now();
    if (!(await startAttempt(call, attempts, parts))) return null;
    outcome = await parts.mcp.callTool({
      server: server.name,
      tenant: call.work.approved.tenantId,
      principal: call.work.approved.agentId,
      name: tool.name,
      arguments: mapArguments(call.work.approved, tool),
      idempotencyKey: call.work.approved.idempotencyKey,
      timeoutMs: remainingMs(call),
      traceparent: call.work.traceparent,
    });
    const attempt = { number: attempts.length + 1, started_at: startedAt, ended_at: parts.clock.now(), outcome };
    return { outcome, attempts: [...attempts, attempt] };
  } finally {
    passage.value.leave(outcome);
  }
}

/** Committed before a byte goes out, with the outcome of the attempt before. */
async function startAttempt(
  { work, endsAt }: RunningCall,
  attempts: readonly Attempt[],
  { ledger, owner }: ExecutorParts,
): Promise<boolean> {
  return ledger.startAttempt({
    invocationId: work.approved.invocationId,
    number: attempts.length + 1,
    owner,
    leaseMs: Math.ceil(endsAt - performance.now()) + leaseMarginMs,
    previous: attempts.at(-1),
  });
}

/** The pause before another attempt; null when there is to be none, or no time for it. */
function pauseBeforeNext(
  call: RunningCall,
  ending: Ending,
  { tries, parts }: { tries: number; parts: ExecutorParts },
): number | null {
  const { outcome } = ending;
  const error = classifyError(outcome, { now: parts.clock.now() });
  const isFailure = outcome.kind !== 'result' || isFlagged(outcome.result.isError);
  if (!isFailure || !mayRepeat({ approved: call.work.approved, tool: call.target.tool, outcome, error, tries }))
    return null;
  const pauseMs = retryDelay({ attempt: tries, random: parts.random(), retryAfterMs: error.retryAfterMs });
  const nextAt = new Date(Date.parse(parts.clock.now()) + pauseMs).toISOString();
  const isInTime = pauseMs < remainingMs(call) && checkExpiry(call.work.approved, nextAt) === null;
  return isInTime ? pauseMs : null;
}

function isFlagged(isError: unknown): boolean {
  return isError !== undefined && isError !== null && isError !== false;
}

function remainingMs({ endsAt }: RunningCall): number {
  return Math.max(1, Math.ceil(endsAt - performance.now()));
}

/** Attempts of an earlier instance stay in the evidence: a refusal now does not undo what they may have done. */
function refused({ attempts }: InvocationWork, error: Refusal): Ending {
  return { outcome: { kind: 'refused', error }, attempts: closeLostAttempts(attempts) };
}

type Circumstances = {
  readonly server: string | undefined;
  readonly isIdempotent: boolean;
  readonly latencyMs: number;
};

function executionOf(
  work: InvocationWork,
  ending: Ending,
  { server, isIdempotent, latencyMs }: Circumstances,
): ToolExecution {
  return {
    contract_version: 'tool-execution-v1',
    invocation_id: work.approved.invocationId,
    invocation: work.approved.invocation,
    ...(server === undefined ? {} : { server }),
    outcome: ending.outcome,
    attempts: withoutCopy(ending),
    declared_idempotent: isIdempotent,
    latency_ms: Math.round(latencyMs),
  };
}

/** The last attempt's answer is the outcome itself; a second copy could make the message too large for the bus. */
function withoutCopy({ outcome, attempts }: Ending): Attempt[] {
  return attempts.map((attempt) => {
    if (attempt.outcome !== outcome || outcome.kind !== 'result') return attempt;
    const { outcome: _outcome, ...rest } = attempt;
    return rest;
  });
}
