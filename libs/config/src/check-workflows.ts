import { type ToolConfig } from '@latch/contracts';
import { unknownName } from './check-references.ts';
import { checkStepTool } from './check-step-tool.ts';
import { checkStepWiring } from './check-step-wiring.ts';
import { type ConfigProblem } from './config-problem.ts';
import { type StepEntry, type WorkflowEntry, type WorkflowsFile } from './workflows-file.ts';
import { type YamlFile } from './yaml-file.ts';

type Tools = ReadonlyMap<string, ToolConfig>;

/** A workflow, the tool that it runs, and all tools. */
export type WorkflowPlace = {
  readonly file: YamlFile;
  readonly workflow: WorkflowEntry;
  /** Undefined: no tool is run as this workflow. */
  readonly runs: ToolConfig | undefined;
  readonly tools: Tools;
};

/**
 * Checks each workflow: it runs a tool, has exactly one primary step, runs in the order of its list, and each step calls a tool that may be called there with
 * arguments that are known by then.
 */
export function checkWorkflows(
  { file, value }: { readonly file: YamlFile; readonly value: WorkflowsFile },
  tools: Tools,
): ConfigProblem[] {
  return Object.values(value).flatMap((workflow) => {
    const runs = [...tools.values()].find((tool) => tool.workflow?.name === workflow.name);
    const place = { file, workflow, runs, tools };
    return [
      ...checkRunTool(place),
      ...checkPrimary(place),
      ...checkIds(place),
      ...checkOrder(place),
      ...workflow.steps.flatMap((step) => [...checkStepTool(place, step), ...checkStepWiring(place, step)]),
    ];
  });
}

function checkRunTool({ file, workflow, runs, tools }: WorkflowPlace): ConfigProblem[] {
  const { tool, path, name } = workflow;
  if (tool !== null && !tools.has(tool))
    return [
      unknownName({
        file,
        path: [...path, 'tool'],
        kind: 'tool',
        name: tool,
        known: tools.keys(),
        where: 'tools.yaml',
      }),
    ];
  if (runs !== undefined) return [];
  const message = `No tool is run as the workflow "${name}", so that it has no effect. Give it the name of a tool, or write \`tool:\`.`;
  return [file.problem(path, message, { severity: 'warning', at: 'key' })];
}

function checkPrimary({ file, workflow }: WorkflowPlace): ConfigProblem[] {
  const primaries = workflow.steps.filter(({ isPrimary }) => isPrimary);
  if (primaries.length === 1) return [];
  const [, second] = primaries;
  if (second === undefined) {
    const message = `No step of the workflow "${workflow.name}" is the primary one. Write \`primary: true\` at the step whose result is the result of the tool.`;
    return [file.problem(workflow.path, message, { at: 'key' })];
  }
  const message = `The workflow "${workflow.name}" has a second primary step. The result of exactly one step is the result of the tool.`;
  return [file.problem([...second.path, 'primary'], message)];
}

function checkIds({ file, workflow }: WorkflowPlace): ConfigProblem[] {
  const ids = workflow.steps.map(({ id }) => id);
  return workflow.steps.flatMap(({ id, path }, index) => {
    if (ids.indexOf(id) === index) return [];
    return [
      file.problem([...path, 'id'], `The step "${id}" stands here a second time. Give each step an id of its own.`),
    ];
  });
}

/** The ancestor's graph is read where it is the list in other words. */
function checkOrder({ file, workflow }: WorkflowPlace): ConfigProblem[] {
  const { steps, start, edges, path } = workflow;
  const [first] = steps;
  const wrongStart =
    start === null || start === first?.id
      ? []
      : [
          file.problem(
            [...path, 'start'],
            `The workflow begins with its first step "${first?.id ?? ''}". Put "${start}" first, or take the line out.`,
          ),
        ];
  const wrongEdges = edges.flatMap(({ from, to, isConditional }, index) => {
    const at = [...path, 'edges', index];
    if (isConditional) return [file.problem(at, conditional)];
    return followerOf(steps, from) === to ? [] : [file.problem(at, outOfOrder)];
  });
  return [...wrongStart, ...wrongEdges];
}

const conditional =
  'Edges with a condition are not run: a step that was confirmed is made or refused as a whole. Put the check into the pre-validation of the tool.';
const outOfOrder = 'Steps run in the order of the list and each once. Order the list, and take the edges out.';

function followerOf(steps: readonly StepEntry[], id: string): string | undefined {
  const index = steps.findIndex((step) => step.id === id);
  if (index === -1) return undefined;
  return steps[index + 1]?.id ?? 'END';
}
