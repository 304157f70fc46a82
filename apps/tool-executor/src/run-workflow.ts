import {
  type Attempt,
  type RawOutcome,
  type ToolConfig,
  type ToolExecution,
  type ToolResult,
  type WorkflowConfig,
  type WorkflowStep,
} from '@latch/contracts';
import { type Run } from './call-step.ts';
import { checkExpiry } from './check-capsule.ts';
import { type ExecutorParts } from './execute-invocation.ts';
import { type WorkflowRun } from './run-workflow-calls.ts';
import { runStep, type StepEnding, stepHasEffect } from './run-workflow-step.ts';

/** How a workflow ended, before it is recorded. */
export type WorkflowEnding = {
  readonly outcome: RawOutcome;
  readonly attempts: readonly Attempt[];
  readonly workflow: NonNullable<ToolExecution['workflow']>;
};

/**
 * Runs a tool as its workflow (DESIGN section 6): the steps in their order, each through the same authorization, gates and ledger as any call, with arguments
 * wired from what is known by then. The result of the primary step is the result of the tool; what fails beside it is told and changes nothing of it. After a
 * crash the same steps are walked again: what has ended is not called again, what may have happened is repeated only where that is harmless.
 *
 * @returns null when another instance has taken the invocation over.
 * @throws RetryableError when the database does not answer.
 */
export async function runWorkflow(
  of: { readonly run: Run; readonly tool: ToolConfig; readonly workflow: WorkflowConfig },
  parts: ExecutorParts,
): Promise<WorkflowEnding | null> {
  const { run, tool, workflow } = of;
  // Expiry before the first attempt is refused as a whole, by the caller.
  const expired = run.journal.attempts.length === 0 ? null : checkExpiry(run.work.approved, parts.clock.now());
  const state: WorkflowRun = { run, parts, tool, primary: workflow.primary, keys: new Map(), expired };
  const ended = new Map<string, StepEnding>();
  for (const step of workflow.steps) {
    const ending = await runStep(step, scopeOf(run, ended), state);
    if (ending === null) return null;
    ended.set(step.id, ending);
    if (!ending.result.ok && step.onError === 'stop') break;
  }
  return toEnding({ workflow, ended, state });
}

type Walk = {
  readonly workflow: WorkflowConfig;
  /** The steps that ran, in their order. */
  readonly ended: ReadonlyMap<string, StepEnding>;
  readonly state: WorkflowRun;
};

function scopeOf({ work }: Run, ended: ReadonlyMap<string, StepEnding>): Parameters<typeof runStep>[1] {
  const outputs = [...ended].map(([id, { output }]) => [id, output] as const);
  return {
    arguments: work.approved.invocation.arguments,
    steps: Object.fromEntries(outputs.filter(([, output]) => output !== undefined)),
  };
}

/** The outcome is the primary step's; without it, that of the step that kept it from running. */
function toEnding({ workflow, ended, state }: Walk): WorkflowEnding {
  const decisive = ended.get(workflow.primary) ?? [...ended.values()].find(({ result }) => !result.ok);
  return {
    outcome: decisive?.outcome ?? nothingRan,
    attempts: carriedAttempts(state.run.journal.attempts),
    workflow: {
      output: outputOf({ workflow, ended, state }),
      steps: workflow.steps.map((step) => evidenceOf(step, { ended: ended.get(step.id), workflow, state })),
    },
  };
}

const nothingRan: RawOutcome = {
  kind: 'refused',
  error: {
    errorCategory: 'business',
    isRetryable: false,
    code: 'tool.not_allowed',
    message: 'The workflow has no step that could be run.',
  },
};

/** An output beyond this is used by later steps and not passed on: together with the outcome it must fit into one message of the bus. */
const maxOutputChars = 65_536;

/** `workflow.output[tool_name]` (seeds/000 section 5): the primary's under the name of the tool that was asked for, the others' under their own. */
function outputOf({ workflow, ended, state }: Walk): Record<string, unknown> {
  const output: Record<string, unknown> = {};
  for (const step of workflow.steps) {
    const answered = ended.get(step.id)?.output;
    const isPrimary = step.id === workflow.primary;
    if (answered === undefined || !isCarried(step, answered, isPrimary)) continue;
    const name = isPrimary ? state.tool.name : step.tool;
    const isTaken = !isPrimary && (name === state.tool.name || Object.hasOwn(output, name));
    output[isTaken ? `${name}#${step.id}` : name] = answered;
  }
  return output;
}

/** The results of a fan-out are the only evidence of its items and are bounded already; a single answer stands in the outcome as well. */
function isCarried(step: WorkflowStep, answered: unknown, isPrimary: boolean): boolean {
  return (isPrimary && step.forEach !== null) || JSON.stringify(answered).length <= maxOutputChars;
}

/** Answers of many attempts could make the message too large; what they said is in the output. */
function carriedAttempts(attempts: readonly Attempt[]): readonly Attempt[] {
  if (JSON.stringify(attempts).length <= 4 * maxOutputChars) return attempts;
  return attempts.map(({ outcome, ...attempt }) =>
    outcome === undefined || outcome.kind === 'result' ? attempt : { ...attempt, outcome },
  );
}

type StepEvidence = NonNullable<NonNullable<ToolExecution['workflow']>['steps']>[number];

function evidenceOf(
  step: WorkflowStep,
  of: { readonly ended: StepEnding | undefined; readonly workflow: WorkflowConfig; readonly state: WorkflowRun },
): StepEvidence {
  const result = of.ended?.result;
  return {
    id: step.id,
    tool_name: step.tool,
    primary: step.id === of.workflow.primary,
    has_effect: stepHasEffect(step, of.state),
    state: result === undefined ? 'skipped' : states[result.outcome ?? 'UNKNOWN'],
    ...(result === undefined ? {} : errorOf(result)),
  };
}

const states = { SUCCESS: 'succeeded', PARTIAL_SUCCESS: 'partly', FAILED: 'failed', UNKNOWN: 'unknown' } as const;

function errorOf({ error, secondary_error: secondary }: ToolResult): Pick<StepEvidence, 'error'> {
  const told = error ?? secondary ?? null;
  return told === null ? {} : { error: told };
}
