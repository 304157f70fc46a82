import {
  type Attempt,
  type PlatformConfig,
  type RawOutcome,
  type ToolConfig,
  type ToolExecution,
} from '@latch/contracts';
import { type ApprovedInvocation, type ToolLedger } from '@latch/event-store';
import { type McpClientPool } from '@latch/mcp';
import { type Logger } from '@latch/observability';
import { isMutating } from '@latch/outcome';
import { AttemptJournal } from './attempt-journal.ts';
import { authorize, type AuthorizedTool } from './authorize.ts';
import { callStep, type Run, type Step } from './call-step.ts';
import { checkExpiry, type Refusal } from './check-capsule.ts';
import { type DatabaseClock } from './database-clock.ts';
import { mapArguments } from './map-arguments.ts';
import { closeLostAttempts, lostOutcome, resolveCrash } from './may-repeat.ts';
import { type progressForwarder } from './progress.ts';
import { type CacheableCall, isCacheable, type ResultCache } from './result-cache.ts';
import { reconcileItems } from './reconcile-items.ts';
import { runWorkflow } from './run-workflow.ts';
import { type ServerGates } from './server-gates.ts';
import { type SettleOutcome } from './settle-outcome.ts';
import { type ToolSchemas } from './tool-schemas.ts';

/** An approved call that is ours to make: fresh, or taken over with the attempts of an instance that is gone. */
export type InvocationWork = {
  readonly approved: ApprovedInvocation;
  readonly attempts: readonly Attempt[];
  readonly traceparent?: string | undefined;
};

/** What executing takes. */
export type ExecutorParts = {
  readonly config: PlatformConfig;
  readonly ledger: Pick<ToolLedger, 'startAttempt' | 'saveEnded'>;
  readonly mcp: Pick<McpClientPool, 'callTool'>;
  readonly schemas: Pick<ToolSchemas, 'check' | 'outputProblems' | 'pinnedHash'>;
  readonly cache: Pick<ResultCache, 'find' | 'keep'>;
  readonly gates: Pick<ServerGates, 'enter'>;
  readonly clock: Pick<DatabaseClock, 'now'>;
  /** Forwards what servers say of running calls. */
  readonly onProgress: ReturnType<typeof progressForwarder>;
  /** Aborted when the executor stops and its time to drain is over: reads that still run are given up, and left to whoever takes the lease over. */
  readonly stopping: AbortSignal;
  readonly settle: SettleOutcome;
  readonly logger: Logger;
  /** Names this running instance in the ledger. */
  readonly owner: string;
  /** From 0 to 1: the jitter of the pauses. */
  readonly random: () => number;
};

/** How a call ended, before it is recorded. */
export type Ending = {
  readonly outcome: RawOutcome;
  readonly attempts: readonly Attempt[];
  /** Set where the tool ran as a workflow. */
  readonly workflow?: ToolExecution['workflow'];
  /** Set where the answer may be given again, or was. */
  readonly cache?: ToolExecution['cache'];
};

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
  const ending = authorized.ok ? await answer(work, authorized.value, parts) : refused(work, authorized.error);
  if (ending === null) {
    parts.logger.info('invocation.left_to_other', { invocation_id: work.approved.invocationId });
    return;
  }
  const tool = authorized.ok ? authorized.value.tool : null;
  const execution = executionOf(work, ending, {
    server: tool?.server,
    isIdempotent: tool?.declaredIdempotent ?? false,
    latencyMs: performance.now() - from,
  });
  if (tool !== null && ending.cache?.hit === false) parts.cache.keep(cacheableCall(work, tool, parts), execution);
  await parts.settle({ work, owner: parts.owner, execution });
}

/** The answer of before, where there is one that may be given again; else the call. */
async function answer(work: InvocationWork, target: AuthorizedTool, parts: ExecutorParts): Promise<Ending | null> {
  const { tool } = target;
  if (!isCacheable({ approved: work.approved, tool }) || work.attempts.length > 0) return makeCall(work, target, parts);
  const known = parts.cache.find(cacheableCall(work, tool, parts));
  if (known !== undefined)
    return { outcome: known.outcome, attempts: [], cache: { hit: true, ttl_seconds: known.ttlSeconds } };
  const ending = await makeCall(work, target, parts);
  return ending && { ...ending, cache: { hit: false, ttl_seconds: tool.cacheTtlSeconds ?? 0 } };
}

function cacheableCall({ approved }: InvocationWork, tool: ToolConfig, { schemas }: ExecutorParts): CacheableCall {
  return { approved, tool, schemaHash: schemas.pinnedHash(tool.server, tool.name) };
}

async function makeCall(work: InvocationWork, target: AuthorizedTool, parts: ExecutorParts): Promise<Ending | null> {
  const attempts = closeLostAttempts(work.attempts);
  const { workflow } = target.tool;
  if (workflow === undefined && resolveCrash(work, target.tool) === 'lost') return { outcome: lostOutcome, attempts };
  // A workflow that has begun settles step by step what a crash left of it.
  const isBegun = workflow !== undefined && attempts.length > 0;
  const expired = isBegun ? null : checkExpiry(work.approved, parts.clock.now());
  if (expired !== null) return { outcome: { kind: 'refused', error: expired }, attempts };
  const run = startRun({ work, attempts, timeoutMs: target.tool.timeoutMs }, parts);
  try {
    if (workflow !== undefined) return await runWorkflow({ run, tool: target.tool, workflow }, parts);
    const whole = await callStep(wholeCall(work.approved, target), run, parts);
    return whole === null ? null : await reconcileItems({ run, target, whole }, parts);
  } finally {
    run.journal.close();
  }
}

/** What a run begins with. */
export type RunStart = {
  readonly work: InvocationWork;
  /** The attempts of earlier instances, with what can be said of each. */
  readonly attempts: readonly Attempt[];
  /** Total budget, all steps and attempts included. */
  readonly timeoutMs: number;
};

/** Starts the clock of an execution, and its journal in the ledger. */
export function startRun({ work, attempts, timeoutMs }: RunStart, parts: ExecutorParts): Run {
  const { invocationId } = work.approved;
  const endsAt = performance.now() + timeoutMs;
  const { ledger, owner, clock } = parts;
  const journal = new AttemptJournal(attempts, {
    now: () => clock.now(),
    save: (ended) => ledger.saveEnded({ invocationId, owner, ended }),
    commit: (begun) => {
      const leaseMs = Math.max(1, Math.ceil(endsAt - performance.now())) + leaseMarginMs;
      return ledger.startAttempt({ invocationId, owner, leaseMs, ...begun });
    },
  });
  return { work, journal, endsAt };
}

/** An invocation that is one call of its tool. */
function wholeCall(approved: ApprovedInvocation, target: AuthorizedTool): Step {
  const { operationType, purpose, idempotencyKey } = approved;
  return {
    id: null,
    target,
    arguments: mapArguments(approved, target.tool),
    idempotencyKey,
    isMutating: isMutating({ operation_type: operationType, purpose }),
  };
}

/** Attempts of an earlier instance stay in the evidence: a refusal now does not undo what they may have done. */
function refused(work: InvocationWork, error: Refusal): Ending {
  const attempts = closeLostAttempts(work.attempts);
  // Steps of a workflow may have had their effect already: a refusal of the rest must not read as if nothing had been done.
  const isBegun = attempts.some(({ step }) => step !== undefined);
  return { outcome: isBegun ? { kind: 'lost', reason: error.message } : { kind: 'refused', error }, attempts };
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
    ...(ending.workflow === undefined ? {} : { workflow: ending.workflow }),
    declared_idempotent: isIdempotent,
    ...(ending.cache === undefined ? {} : { cache: ending.cache }),
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
