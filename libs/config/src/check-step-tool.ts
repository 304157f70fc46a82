import { type ToolConfig } from '@latch/contracts';
import { unknownName } from './check-references.ts';
import { type WorkflowPlace } from './check-workflows.ts';
import { type ConfigProblem } from './config-problem.ts';
import { suggestName } from './nearest-name.ts';
import { type StepEntry } from './workflows-file.ts';

/** Checks the tool that a step calls: it is there, is called plainly, and does nothing that the confirmation of the workflow's tool does not cover. */
export function checkStepTool(place: WorkflowPlace, step: StepEntry): ConfigProblem[] {
  const { file, tools, runs } = place;
  const path = [...step.path, step.toolKey];
  const tool = tools.get(step.tool);
  if (tool === undefined)
    return [unknownName({ file, path, kind: 'tool', name: step.tool, known: tools.keys(), where: 'tools.yaml' })];
  const problem = nestingProblem(place, tool) ?? coverProblem(runs, tool);
  return [
    ...(problem === null ? [] : [file.problem(path, problem)]),
    ...(tool.enabled ? [] : [file.problem(path, switchedOff(tool))]),
    ...checkArgumentNames(place, { step, tool }),
  ];
}

/** A step may call the tool that the workflow runs: it then means the server's tool of that name. */
function nestingProblem({ workflow, runs }: WorkflowPlace, tool: ToolConfig): string | null {
  if (tool.workflow === undefined || tool.name === runs?.name) return null;
  return `"${tool.name}" is run as the workflow "${tool.workflow.name}" itself, and workflows do not nest. Write the steps of it into "${workflow.name}".`;
}

function coverProblem(runs: ToolConfig | undefined, tool: ToolConfig): string | null {
  if (runs === undefined) return null;
  if (tool.operationType === 'transactional' && runs.operationType !== 'transactional')
    return `"${tool.name}" is transactional, but "${runs.name}" is ${runs.operationType}: an effect must not hide behind it. Set its operation_type to transactional.`;
  if (tool.requiresConfirmation && !runs.requiresConfirmation)
    return `"${tool.name}" needs a confirmation, but "${runs.name}" never asks for one. Set its require_confirmation to true.`;
  const isHarmful = tool.operationType !== 'read_only' && !tool.declaredIdempotent;
  return isHarmful && runs.declaredIdempotent
    ? `"${runs.name}" is declared idempotent, but its step "${tool.name}" is not. Declare both, or neither.`
    : null;
}

function switchedOff({ name }: ToolConfig): string {
  return `"${name}" is switched off, so that the step is always refused. Set its enabled to true, or take the step out.`;
}

function checkArgumentNames(
  { file }: WorkflowPlace,
  { step, tool }: { readonly step: StepEntry; readonly tool: ToolConfig },
): ConfigProblem[] {
  const declared = Object.keys(tool.parameters);
  const given = Object.keys(step.arguments);
  const at = [...step.path, step.argumentsKey];
  const unknown = given
    .filter((name) => !declared.includes(name))
    .map((name) => {
      const message = `"${name}" is not in the args_schema of ${tool.name}.${suggestName(name, declared)} Declare it there, or correct the name.`;
      return file.problem([...at, name], message, { at: 'key' });
    });
  const missing = tool.requires.filter((name) => !given.includes(name) && !hasDefault(tool, name));
  const needed = missing.map((name) =>
    file.problem(at, `${tool.name} cannot run without "${name}". Give it in the arguments of the step.`, { at: 'key' }),
  );
  const { idempotencyArgument } = tool.mapping;
  const isKeyGiven = idempotencyArgument !== null && given.includes(idempotencyArgument);
  const twice = isKeyGiven
    ? [
        file.problem(
          [...at, idempotencyArgument],
          `"${idempotencyArgument}" carries the idempotency key of the step. Take the line out.`,
        ),
      ]
    : [];
  return [...unknown, ...needed, ...twice];
}

function hasDefault({ parameters, mapping }: ToolConfig, name: string): boolean {
  const byDefault = parameters[name]?.default;
  return (byDefault !== undefined && byDefault !== null) || Object.hasOwn(mapping.defaults, name);
}
