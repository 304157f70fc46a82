import {
  type Attempt,
  failure,
  itemKey,
  type ProposalItem,
  type RawOutcome,
  type Result,
  type StructuredError,
  success,
  type ToolConfig,
  type WorkflowStep,
} from '@latch/contracts';
import { type ApprovedInvocation } from '@latch/event-store';
import { classifyError, isMutating } from '@latch/outcome';
import { authorize } from './authorize.ts';
import { callStep, type Run, type Step } from './call-step.ts';
import { type Refusal } from './check-capsule.ts';
import { type Ending, type ExecutorParts } from './execute-invocation.ts';
import { mayRepeat } from './may-repeat.ts';
import { wireArguments, type WiringScope } from './run-workflow-wiring.ts';

/** A workflow that is being run: its approval and attempts, what its steps have answered, and the keys that are taken. */
export type WorkflowRun = {
  readonly run: Run;
  readonly parts: ExecutorParts;
  readonly tool: ToolConfig;
  readonly primary: string;
  /** Every key of a call so far -> the call. No two calls share one, whatever items and steps are called. */
  readonly keys: Map<string, string>;
  /** The approval expired while nobody worked on it: what was not begun by then is not begun any more. */
  readonly expired: Refusal | null;
};

/** One call of a step: the step's only one, or the one of an item. */
export type StepCall = {
  readonly step: WorkflowStep;
  /** Null: the step is one call. */
  readonly item: ProposalItem | null;
  readonly scope: WiringScope;
};

/**
 * Makes one call of a step, through the same authorization, gates, schema check and ledger as any call; or takes over what an earlier instance knows of it, so
 * that nothing is done twice. A call whose end nobody saw is repeated only where that is harmless, and is lost otherwise.
 *
 * @returns how it ended; null when another instance has taken the invocation over.
 * @throws RetryableError when the database does not answer.
 */
export async function callOfStep(call: StepCall, workflow: WorkflowRun): Promise<Ending | null> {
  const prepared = prepare(call, workflow);
  if (!prepared.ok) return { outcome: { kind: 'refused', error: prepared.error }, attempts: [] };
  const { run, parts } = workflow;
  const step = prepared.value;
  const before = run.journal.attemptsOf(step.id);
  const known = settledBefore(step, before, parts);
  if (known !== null) return { outcome: known, attempts: before };
  if (workflow.expired !== null && before.length === 0)
    return { outcome: { kind: 'refused', error: workflow.expired }, attempts: before };
  const endsAt = Math.min(run.endsAt, performance.now() + step.target.tool.timeoutMs);
  if (run.endsAt <= performance.now()) return { outcome: tooLate, attempts: before };
  const ending = await callStep(step, { ...run, endsAt }, parts);
  return ending === null ? null : { ...ending, outcome: inTermsOfTheCall(ending.outcome, call.step) };
}

/** The name of a call in ledger and evidence: the step, and the item where there are several. */
export function callIdOf(step: Pick<WorkflowStep, 'id'>, item: ProposalItem | null): string {
  return item === null ? step.id : itemKey(step.id, item.id);
}

/** Whether a call of the tool may change the world; as for any call, all but declared reads may. */
export function hasEffect(tool: Pick<ToolConfig, 'operationType'>, { purpose }: ApprovedInvocation): boolean {
  return isMutating({ operation_type: tool.operationType, purpose });
}

function prepare({ step, item, scope }: StepCall, workflow: WorkflowRun): Result<Step, StructuredError> {
  const { approved } = workflow.run.work;
  const wired = wireArguments(step.arguments, scope);
  const authorized = authorize(asCallOf(approved, step.tool, wired), workflow.parts.config);
  if (!authorized.ok) return authorized;
  const { tool } = authorized.value;
  if (tool.operationType === 'transactional' && approved.operationType !== 'transactional')
    return failure(refusal(`The step ${step.id} has an effect that was never approved.`));
  const given = { ...defaultsOf(tool), ...wired };
  const missing = tool.requires.find((name) => given[name] === undefined);
  if (missing !== undefined) return failure(missingArgument(step, missing));
  const id = callIdOf(step, item);
  const idempotencyKey = keyOf({ step, item, key: approved.idempotencyKey, primary: workflow.primary });
  if ((workflow.keys.get(idempotencyKey) ?? id) !== id)
    return failure(refusal(`The step ${id} would have the key of ${workflow.keys.get(idempotencyKey) ?? ''}.`));
  workflow.keys.set(idempotencyKey, id);
  const keyArgument = tool.mapping.idempotencyArgument;
  return success({
    id,
    target: authorized.value,
    arguments: keyArgument === null ? given : { ...given, [keyArgument]: idempotencyKey },
    idempotencyKey,
    isMutating: hasEffect(tool, approved),
  });
}

/** A step is authorized as the approved call of its own tool: the confirmation of the workflow's tool covers it. */
function asCallOf(
  approved: ApprovedInvocation,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): ApprovedInvocation {
  return {
    ...approved,
    tool,
    invocation: { ...approved.invocation, tool_name: tool, arguments: { ...args }, items: [] },
  };
}

function defaultsOf({ parameters, mapping }: ToolConfig): Record<string, unknown> {
  const declared = Object.values(parameters).map(({ name, default: value }) => [name, value] as const);
  const constants = Object.entries(mapping.defaults).filter(([name]) => Object.hasOwn(parameters, name));
  return Object.fromEntries([...declared, ...constants].filter(([, value]) => value !== undefined && value !== null));
}

/** The primary step has the key of the approval, its items the item keys (DESIGN section 6); every other step has its own name behind it. */
function keyOf({ step, item, key, primary }: KeyOf): string {
  const isPrimary = step.id === primary;
  const own = isPrimary ? key : `${key}:${step.id}`;
  if (item === null) return own;
  const confirmed = item['item_key'];
  return isPrimary && typeof confirmed === 'string' ? confirmed : itemKey(own, item.id);
}

type KeyOf = {
  readonly step: WorkflowStep;
  readonly item: ProposalItem | null;
  readonly key: string;
  readonly primary: string;
};

/** What is known of a call from an instance that is gone; null when it is to be made, for the first time or again under its key. */
function settledBefore(step: Step, attempts: readonly Attempt[], { clock }: ExecutorParts): RawOutcome | null {
  const outcome = attempts.at(-1)?.outcome;
  if (outcome === undefined) return null;
  const isHarmless = !step.isMutating || step.target.tool.declaredIdempotent;
  if (outcome.kind === 'lost') return isHarmless ? null : outcome;
  if (outcome.kind === 'result' && (outcome.result.isError ?? false) === false) return outcome;
  const error = classifyError(outcome, { now: clock.now() });
  const { isMutating: mutates, target } = step;
  return mayRepeat({ isMutating: mutates, tool: target.tool, outcome, error, tries: attempts.length }) ? null : outcome;
}

const tooLate: RawOutcome = {
  kind: 'refused',
  error: {
    errorCategory: 'transient',
    isRetryable: true,
    code: 'tool.timeout',
    message: 'The time of the whole was over before this was begun.',
  },
};

function refusal(message: string): StructuredError {
  return { errorCategory: 'permission', isRetryable: false, code: 'tool.not_allowed', message };
}

/** A refused argument of the step, by the name of the approved argument that it came from: only that one can be asked for again. */
function inTermsOfTheCall(outcome: RawOutcome, step: WorkflowStep): RawOutcome {
  if (outcome.kind !== 'refused' || outcome.error.parameter === undefined) return outcome;
  const { parameter, ...error } = outcome.error;
  const source = sourceOf(step, parameter);
  return { ...outcome, error: source === undefined ? error : { ...error, parameter: source } };
}

function sourceOf(step: WorkflowStep, name: string): string | undefined {
  const wiring = step.arguments[name];
  return typeof wiring === 'string' ? /^\$\.arguments\.([^.]+)/.exec(wiring)?.[1] : undefined;
}

/** Where the value comes straight from an argument of the approved call, that argument is the one to ask for again. */
function missingArgument(step: WorkflowStep, name: string): StructuredError {
  const source = sourceOf(step, name);
  return {
    errorCategory: 'validation',
    isRetryable: false,
    code: 'tool.arguments_invalid',
    message: `The step ${step.id} has no value for ${name}.`,
    ...(source === undefined ? {} : { parameter: source }),
  };
}
