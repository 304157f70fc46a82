import { type BusinessContext, type ToolConfig } from '@latch/contracts';
import { isAbsent } from './canonicalize.ts';
import { type Arguments } from './state.ts';

/**
 * The final arguments of a call (`mcp_parameter_mapping.yaml`): defaults, then what the business context gives, then what was collected. Done once, when
 * the proposal is made, so that what is shown is what is sent (invariant I5). The raw context never gets any further.
 */
export function mapArguments(tool: ToolConfig, collected: Arguments, businessContext: BusinessContext): Arguments {
  const declared = Object.values(tool.parameters).map(({ name, default: value }): Entry => [name, value]);
  const layers = [declared, Object.entries(tool.mapping.defaults), mappedEntries(tool, businessContext)];
  return Object.fromEntries([...layers.flat(), ...Object.entries(collected)].filter(isPresent));
}

/** The arguments that the business context gives under the tool's mapping. A key may be a path such as `metadata.plan`. */
export function mappedValues(tool: ToolConfig, businessContext: BusinessContext): Arguments {
  return Object.fromEntries(mappedEntries(tool, businessContext).filter(isPresent));
}

type Entry = [name: string, value: unknown];

function mappedEntries(tool: ToolConfig, businessContext: BusinessContext): Entry[] {
  return Object.entries(tool.mapping.map).map(([key, argument]): Entry => [argument, valueAt(businessContext, key)]);
}

function isPresent([, value]: Entry): boolean {
  return !isAbsent(value);
}

function valueAt(context: unknown, path: string): unknown {
  let value = context;
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.getOwnPropertyDescriptor(value, step)?.value;
  }
  return value;
}
