import { type BusinessContext, type ToolConfig } from '@latch/contracts';
import { isAbsent } from './canonicalize.ts';
import { type Arguments } from './state.ts';

/**
 * The final arguments of a call (`mcp_parameter_mapping.yaml`): defaults, then what the business context gives, then what was collected. Done once, when
 * the proposal is made, so that what is shown is what is sent (invariant I5). The raw context never gets any further.
 */
export function mapArguments(tool: ToolConfig, collected: Arguments, businessContext: BusinessContext): Arguments {
  return {
    ...declaredDefaults(tool),
    ...present(tool.mapping.defaults),
    ...mappedValues(tool, businessContext),
    ...present(collected),
  };
}

/** The arguments that the business context gives under the tool's mapping. A key may be a path such as `metadata.plan`. */
export function mappedValues(tool: ToolConfig, businessContext: BusinessContext): Arguments {
  const pairs = Object.entries(tool.mapping.map).map(([key, argument]) => [argument, valueAt(businessContext, key)]);
  return present(Object.fromEntries(pairs));
}

function declaredDefaults(tool: ToolConfig): Arguments {
  return present(Object.fromEntries(Object.values(tool.parameters).map(({ name, default: value }) => [name, value])));
}

function valueAt(context: unknown, path: string): unknown {
  let value = context;
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.getOwnPropertyDescriptor(value, step)?.value;
  }
  return value;
}

function present(values: Arguments): Arguments {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isAbsent(value)));
}
