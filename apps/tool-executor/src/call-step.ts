import { setTimeout as sleep } from 'node:timers/promises';
import { type RawOutcome } from '@latch/contracts';
import { retryDelay } from '@latch/mcp';
import { classifyError } from '@latch/outcome';
import { type AttemptJournal } from './attempt-journal.ts';
import { type AuthorizedTool } from './authorize.ts';
import { checkExpiry } from './check-capsule.ts';
import { type Ending, type ExecutorParts, type InvocationWork } from './execute-invocation.ts';
import { mayRepeat } from './may-repeat.ts';
import { type CallToCheck } from './tool-schemas.ts';

/** One call of one tool: the invocation's own, or a step of the workflow that it runs as. */
export type Step = {
  /** Names the step in the ledger and in the evidence; null for the invocation's own call. */
  readonly id: string | null;
  readonly target: AuthorizedTool;
  /** Exactly what goes out, the key's argument included where the tool takes one. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly idempotencyKey: string;
  /** Whether the call may change the world: then it is repeated only where the operator declared it harmless. */
  readonly isMutating: boolean;
};

/** The execution that a step belongs to: one approval, one ledger row, one deadline over all its steps and attempts. */
export type Run = {
  readonly work: InvocationWork;
  readonly journal: AttemptJournal;
  /** In the time of `performance.now()`. */
  readonly endsAt: number;
};

/**
 * Calls one tool under the deadline of its run: through the gates of its server, each attempt committed before a byte goes out, repeated only where that can
 * do no harm and always under the same key, with the waits that the server asked for (DESIGN section 6). Steps of one run may be called side by side.
 *
 * @returns how it ended, with the attempts of this step; null when another instance has taken the invocation over, and then nothing may be recorded.
 * @throws RetryableError when the database does not answer: what was not committed was not sent.
 */
export async function callStep(step: Step, run: Run, parts: ExecutorParts): Promise<Ending | null> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await makeAttempt(step, run, parts);
    if (outcome === null) return null;
    const pauseMs = pauseBeforeNext({ step, run, outcome, tries }, parts);
    if (pauseMs === null) return { outcome, attempts: run.journal.attemptsOf(step.id) };
    await sleep(pauseMs);
  }
}

/** One attempt, through the server's gates. @returns null when another instance has taken the invocation over. */
async function makeAttempt(step: Step, run: Run, parts: ExecutorParts): Promise<RawOutcome | null> {
  const { tool, server } = step.target;
  const { approved, traceparent } = run.work;
  const passage = await parts.gates.enter(server, remainingMs(run));
  if (!passage.ok) return { kind: 'refused', error: passage.error };
  let outcome: RawOutcome | null = null;
  try {
    const stopped = await parts.schemas.check(callToCheck(step, run));
    if (stopped !== null) {
      // A refusal is our own word and says nothing about the server; a server that does not even list its tools has failed.
      if (stopped.kind !== 'refused') outcome = stopped;
      return stopped;
    }
    const attempt = await run.journal.begin(step.id);
    if (attempt === null) return null;
    const answered = await parts.mcp.callTool({
      server: server.name,
      tenant: approved.tenantId,
      principal: approved.agentId,
      name: tool.name,
      arguments: step.arguments,
      idempotencyKey: step.idempotencyKey,
      timeoutMs: remainingMs(run),
      traceparent,
      onProgress: parts.onProgress(approved, { tool: tool.name, step: step.id, attempt: attempt.number }),
      // An effect is not cut off half-way: its server may be in the middle of it. A read is nobody's loss.
      ...(step.isMutating ? {} : { signal: parts.stopping }),
    });
    if (isGivenUp(answered, parts.stopping)) return null;
    outcome = withOutputProblems(answered, step, parts);
    attempt.end(outcome);
    return outcome;
  } finally {
    passage.value.leave(outcome);
  }
}

/** The executor stops: the attempt stays open in the ledger, and whoever takes the lease over makes it again. */
function isGivenUp(outcome: RawOutcome, stopping: AbortSignal): boolean {
  return stopping.aborted && outcome.kind === 'transport_error' && outcome.code === 'aborted';
}

function callToCheck({ id, target, arguments: args, isMutating }: Step, run: Run): CallToCheck {
  // What was approved is the schema of the tool that the user confirmed; a step of its workflow is held to the accepted one.
  const approvedHash = id === null ? (run.work.approved.invocation.tool_schema_hash ?? null) : null;
  return {
    server: target.server,
    tool: target.tool.name,
    arguments: args,
    approvedHash,
    isMutating,
    timeoutMs: remainingMs(run),
  };
}

/** A success is held to the output schema that the tool declares; what breaks it stands beside the answer, which stays what it is. */
function withOutputProblems(outcome: RawOutcome, { target }: Step, { schemas }: ExecutorParts): RawOutcome {
  if (outcome.kind !== 'result' || isFlagged(outcome.result.isError)) return outcome;
  const { tool, server } = target;
  const problems = schemas.outputProblems(server.name, tool.name, outcome.result.structuredContent);
  return problems.length === 0 ? outcome : { ...outcome, schema_problems: [...problems] };
}

type EndedAttempt = {
  readonly step: Step;
  readonly run: Run;
  readonly outcome: RawOutcome;
  /** Attempts and refusals so far, this one included. */
  readonly tries: number;
};

/** The pause before another attempt; null when there is to be none, or no time for it. */
function pauseBeforeNext(ended: EndedAttempt, { clock, random }: ExecutorParts): number | null {
  const { step, run, outcome, tries } = ended;
  const error = classifyError(outcome, { now: clock.now() });
  const isFailure = outcome.kind !== 'result' || isFlagged(outcome.result.isError);
  const { isMutating, target } = step;
  if (!isFailure || !mayRepeat({ isMutating, tool: target.tool, outcome, error, tries })) return null;
  const pauseMs = retryDelay({ attempt: tries, random: random(), retryAfterMs: error.retryAfterMs });
  const nextAt = new Date(Date.parse(clock.now()) + pauseMs).toISOString();
  const isInTime = pauseMs < remainingMs(run) && checkExpiry(run.work.approved, nextAt) === null;
  return isInTime ? pauseMs : null;
}

function isFlagged(isError: unknown): boolean {
  return isError !== undefined && isError !== null && isError !== false;
}

function remainingMs({ endsAt }: Run): number {
  return Math.max(1, Math.ceil(endsAt - performance.now()));
}
