import { type BusinessContext, type ToolConfig } from '@latch/contracts';
import { isAbsent } from './canonicalize.ts';
import { type Arguments } from './state.ts';

/**
 * The final arguments of a call (`mcp_parameter_mapping.yaml`): defaults, then what the business context gives, then what was collected. Done once, when
 * the proposal is made, so that what is shown is what is sent (invariant I5). The raw context never gets any further.
 */
export function mapArguments(tool: ToolConfig, collected: Arguments, businessContext: BusinessContext): Arguments {
  const given = Object.entries(collected).filter(isPresent);
  return Object.fromEntries([...layersOf(tool).defaults, ...mappedEntries(tool, businessContext), ...given]);
}

/** The arguments that the business context gives under the tool's mapping. A key may be a path such as `metadata.plan`. */
export function mappedValues(tool: ToolConfig, businessContext: BusinessContext): Arguments {
  return Object.fromEntries(mappedEntries(tool, businessContext));
}

type Entry = [name: string, value: unknown];

/** What a tool's configuration alone says about its arguments. */
type Layers = {
  readonly defaults: readonly Entry[];
  readonly map: readonly { readonly path: readonly string[]; readonly argument: string }[];
};

const knownLayers = new WeakMap<ToolConfig, Layers>();

/** Worked out once per configuration: every turn asks several times. */
function layersOf(tool: ToolConfig): Layers {
  const known = knownLayers.get(tool);
  if (known !== undefined) return known;
  const declared = Object.values(tool.parameters).map(({ name, default: value }): Entry => [name, value]);
  const layers = {
    defaults: [...declared, ...Object.entries(tool.mapping.defaults)].filter(isPresent),
    map: Object.entries(tool.mapping.map).map(([key, argument]) => ({ path: key.split('.'), argument })),
  };
  knownLayers.set(tool, layers);
  return layers;
}

function mappedEntries(tool: ToolConfig, businessContext: BusinessContext): Entry[] {
  return layersOf(tool)
    .map.map(({ path, argument }): Entry => [argument, valueAt(businessContext, path)])
    .filter(isPresent);
}

function isPresent([, value]: Entry): boolean {
  return !isAbsent(value);
}

function valueAt(context: unknown, path: readonly string[]): unknown {
  let value = context;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.getOwnPropertyDescriptor(value, step)?.value;
  }
  return value;
}
