import { isRecord, type ToolExecution } from '@latch/contracts';
import { type Payload } from './read-payload.ts';

/** The answer of the primary tool and the per-item list in it. */
export type Primary = {
  /** What the primary step itself answered, where the tool ran as a workflow; undefined otherwise. */
  readonly stepOutput: unknown;
  /** `results`, whatever its entries are; undefined when there is no such list. */
  readonly results: readonly unknown[] | undefined;
};

/**
 * Looks for the primary tool's `results` in the order of seeds/000 section 5: `workflow.output[tool_name].results` (of the execution, then
 * inside the answer), the tool's own `structuredContent.results`, JSON text. A list anywhere else is data and is not looked at.
 */
export function findResults(execution: ToolExecution, payload: Payload): Primary {
  const tool = execution.invocation.tool_name;
  const outputs = [execution.workflow?.output, ...payload.sources.map(workflowOutput)].filter(isRecord);
  const steps = outputs.map((output) => (Object.hasOwn(output, tool) ? output[tool] : undefined)).filter(isRecord);
  const [stepOutput] = steps;
  return {
    stepOutput,
    results: [...steps, ...payload.sources].map(resultsOf).find((results) => results !== undefined),
  };
}

function workflowOutput(source: Record<string, unknown>): unknown {
  return isRecord(source.workflow) ? source.workflow.output : undefined;
}

function resultsOf(source: Record<string, unknown>): readonly unknown[] | undefined {
  return Array.isArray(source.results) ? source.results : undefined;
}
