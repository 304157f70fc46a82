import { type StructuredError, type ToolExecution, type WorkflowStepEvidence } from '@latch/contracts';
import { classifyError, ourOwn } from './classify-error.ts';
import { mayHaveHappened } from './may-have-happened.ts';
import { readReading, type Reading } from './reading.ts';

/**
 * Reads an execution, and one that ran as a workflow by its primary step (seeds/000 section 5): the primary's answer and attempts are those of the tool, and
 * what failed beside it is secondary. Where an earlier step kept the primary from running nothing was done, unless nobody knows what that step did: then
 * nobody knows of the whole.
 */
export function readExecution(execution: ToolExecution): Reading {
  const steps = execution.workflow?.steps ?? [];
  const primary = steps.find((step) => step.primary);
  if (primary === undefined) return withSchemaProblems(readReading(execution), execution);
  return primary.state === 'skipped' ? readPrevented(execution, steps) : readPrimary(execution, { steps, primary });
}

function readPrimary(
  execution: ToolExecution,
  { steps, primary }: { readonly steps: readonly WorkflowStepEvidence[]; readonly primary: WorkflowStepEvidence },
): Reading {
  const own = { ...execution, attempts: execution.attempts.filter(({ step }) => belongsTo(step, primary)) };
  const reading = withSchemaProblems(readReading(own), own);
  const beside = steps.find((step) => !step.primary && isTrouble(step));
  return { ...reading, secondaryError: reading.secondaryError ?? (beside === undefined ? null : errorOf(beside)) };
}

function readPrevented(execution: ToolExecution, steps: readonly WorkflowStepEvidence[]): Reading {
  const preventing = steps.find(isTrouble);
  const error = preventing === undefined ? classifyError(execution.outcome) : errorOf(preventing);
  const isOpen =
    steps.some((step) => step.has_effect && step.state === 'unknown') ||
    // Evidence that does not say which step stopped it settles nothing.
    (preventing === undefined && mayHaveHappened(execution.outcome));
  const reading = readReading({
    ...execution,
    outcome: isOpen ? { kind: 'lost', reason: error.message } : { kind: 'refused', error },
    attempts: [],
    workflow: { output: {} },
  });
  return { ...reading, error: isOpen ? { ...error, isRetryable: false } : error };
}

function belongsTo(step: string | undefined, primary: WorkflowStepEvidence): boolean {
  return step === primary.id || (step?.startsWith(`${primary.id}:`) ?? false);
}

function isTrouble({ state }: WorkflowStepEvidence): boolean {
  return state === 'failed' || state === 'unknown' || state === 'partly';
}

/** A step that was done for some of its items has no error of its own. */
function errorOf({ id, error }: WorkflowStepEvidence): StructuredError {
  if (error !== undefined) return ourOwn(error);
  const message = `The step ${id} did not succeed for all of its items.`;
  return { errorCategory: 'business', isRetryable: false, code: 'tool.error', message };
}

/** An answer that breaks the output schema of its tool stays what it is; that it does is told as a departure from the contract. */
function withSchemaProblems(reading: Reading, { outcome }: ToolExecution): Reading {
  const problems = outcome.kind === 'result' ? (outcome.schema_problems ?? []) : [];
  if (problems.length === 0) return reading;
  const shown = problems.slice(0, 5).join('; ');
  return { ...reading, warnings: [...reading.warnings, `the answer breaks the output schema of the tool: ${shown}`] };
}
