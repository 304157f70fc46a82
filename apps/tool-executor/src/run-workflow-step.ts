import {
  type ProposalItem,
  type RawOutcome,
  type StructuredError,
  type ToolResult,
  type WorkflowStep,
} from '@latch/contracts';
import { type ApprovedInvocation } from '@latch/event-store';
import { readToolResult } from '@latch/outcome';
import { namedItems } from '@latch/transaction';
import { type Ending } from './execute-invocation.ts';
import { callOfStep, hasEffect, type WorkflowRun } from './run-workflow-calls.ts';
import { type ItemReading, toWorkflowEntries } from './to-workflow-entries.ts';
import { valueAtPath, type WiringScope } from './run-workflow-wiring.ts';

/** How a step ended, read. `output` is what later steps may use; undefined when there is nothing that can be relied on. */
export type StepEnding = {
  readonly result: ToolResult;
  readonly outcome: RawOutcome;
  readonly output: unknown;
};

/** Entries of a fan-out beyond this are refused, before anything is called. */
const maxItems = 500;

/**
 * Runs one step: its one call, or one call per entry of its list, so many at a time.
 *
 * @returns null when another instance has taken the invocation over.
 * @throws RetryableError when the database does not answer; what was begun has ended by then.
 */
export async function runStep(
  step: WorkflowStep,
  scope: WiringScope,
  workflow: WorkflowRun,
): Promise<StepEnding | null> {
  if (step.forEach === null) return runOnce(step, scope, workflow);
  const list = valueAtPath(step.forEach, scope);
  if (!Array.isArray(list)) return refused(step, workflow, notAList(step));
  if (list.length > maxItems) return refused(step, workflow, tooMany(step, list.length));
  return runForEach(step, { scope, entries: list }, workflow);
}

async function runOnce(step: WorkflowStep, scope: WiringScope, workflow: WorkflowRun): Promise<StepEnding | null> {
  const ending = await callOfStep({ step, item: null, scope }, workflow);
  if (ending === null) return null;
  const { approved } = workflow.run.work;
  const items = step.id === workflow.primary ? (approved.invocation.items ?? []) : [];
  const result = readCall(ending, { step, items, workflow });
  return { result, outcome: ending.outcome, output: result.ok ? result.data : undefined };
}

type FanOut = { readonly scope: WiringScope; readonly entries: readonly unknown[] };

async function runForEach(
  step: WorkflowStep,
  { scope, entries }: FanOut,
  workflow: WorkflowRun,
): Promise<StepEnding | null> {
  const { approved } = workflow.run.work;
  const items = namedItems(entries).map((item) => asConfirmed(item, approved));
  const readings = await inParallel(items, step.maxParallel, async (item, index): Promise<ItemReading | null> => {
    if (!isApproved(item, { step, workflow })) return { item, result: null };
    const ending = await callOfStep({ step, item, scope: { ...scope, item: entries[index] } }, workflow);
    return ending === null ? null : { item, result: readCall(ending, { step, items: [item], workflow }) };
  });
  if (readings === null) return null;
  const missed = step.id === workflow.primary ? missedItems(approved, items) : [];
  const results = toWorkflowEntries(readings, missed);
  const answered: RawOutcome = { kind: 'result', result: { structuredContent: { results } } };
  const result = readCall({ outcome: answered, attempts: [] }, { step, items: [...items, ...missed], workflow });
  return { result, outcome: madeCalls(readings.length), output: { results } };
}

/** The results themselves stand in the output, and are not carried twice. */
function madeCalls(count: number): RawOutcome {
  const text = `${count} ${count === 1 ? 'item' : 'items'}, each with its result in workflow.output.`;
  return { kind: 'result', result: { content: [{ type: 'text', text }] } };
}

/** A confirmed item has the key of the first call that was ever made for it, so that a retry of it is recognized. */
function asConfirmed(item: ProposalItem, { invocation }: ApprovedInvocation): ProposalItem {
  return (invocation.items ?? []).find(({ id }) => id === item.id) ?? item;
}

/** What was confirmed item by item is run item by item: an entry that was not among them has no effect (invariants I4 and I5). */
function isApproved(
  item: ProposalItem,
  { step, workflow }: { readonly step: WorkflowStep; readonly workflow: WorkflowRun },
): boolean {
  const confirmed = workflow.run.work.approved.invocation.items ?? [];
  if (step.id !== workflow.primary || confirmed.length === 0) return true;
  return confirmed.some(({ id }) => id === item.id);
}

/** Confirmed items that the list does not hold: nothing was called for them, and that is certain. */
function missedItems({ invocation }: ApprovedInvocation, items: readonly ProposalItem[]): readonly ProposalItem[] {
  const listed = new Set(items.map(({ id }) => id));
  return (invocation.items ?? []).filter(({ id }) => !listed.has(id));
}

type ReadingOf = {
  readonly step: WorkflowStep;
  readonly items: readonly ProposalItem[];
  readonly workflow: WorkflowRun;
};

/** The call of a step is read as any call is: one total function says what happened. */
function readCall({ outcome, attempts }: Ending, { step, items, workflow }: ReadingOf): ToolResult {
  const { approved } = workflow.run.work;
  const tool = workflow.parts.config.agents[approved.agentId]?.tools[step.tool];
  return readToolResult({
    invocation_id: approved.invocationId,
    invocation: {
      ...approved.invocation,
      tool_name: step.tool,
      operation_type: tool?.operationType ?? 'transactional',
      items: [...items],
    },
    outcome,
    attempts: [...attempts],
    declared_idempotent: tool?.declaredIdempotent ?? false,
    latency_ms: 0,
  });
}

/** Runs so many at a time, begins no more once one was left to another instance or failed, and waits for all that were begun. */
async function inParallel<T, R>(
  values: readonly T[],
  limit: number,
  run: (value: T, index: number) => Promise<R | null>,
): Promise<readonly R[] | null> {
  const results: (R | null)[] = values.map(() => null);
  let next = 0;
  let isStopped = false;
  const work = async (): Promise<void> => {
    for (let index = next++; index < values.length && !isStopped; index = next++) {
      const value = values[index];
      if (value === undefined) continue;
      try {
        results[index] = await run(value, index);
      } catch (error) {
        isStopped = true;
        throw error;
      }
      if (results[index] === null) isStopped = true;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.min(limit, values.length) }, work));
  const broken = ended.find((each) => each.status === 'rejected');
  if (broken !== undefined) throw broken.reason;
  const whole = results.filter((result) => result !== null);
  return whole.length === values.length ? whole : null;
}

function refused(step: WorkflowStep, workflow: WorkflowRun, error: StructuredError): StepEnding {
  const outcome: RawOutcome = { kind: 'refused', error };
  const items = step.id === workflow.primary ? (workflow.run.work.approved.invocation.items ?? []) : [];
  return { outcome, output: undefined, result: readCall({ outcome, attempts: [] }, { step, items, workflow }) };
}

function notAList({ id, forEach }: WorkflowStep): StructuredError {
  const message = `The step ${id} needs a list at ${forEach ?? ''}, and none is there.`;
  const parameter = /^\$\.arguments\.([^.]+)/.exec(forEach ?? '')?.[1];
  return {
    errorCategory: 'validation',
    isRetryable: false,
    code: 'tool.arguments_invalid',
    message,
    ...(parameter === undefined ? {} : { parameter }),
  };
}

function tooMany(step: WorkflowStep, count: number): StructuredError {
  const message = `The step ${step.id} would make ${count} calls; at most ${maxItems} are made.`;
  return { ...notAList(step), message };
}

/** Whether the tool of a step may change the world; fails closed for a tool that is not there. */
export function stepHasEffect(step: WorkflowStep, { run, parts }: WorkflowRun): boolean {
  const { approved } = run.work;
  const tool = parts.config.agents[approved.agentId]?.tools[step.tool];
  return tool === undefined || hasEffect(tool, approved);
}
