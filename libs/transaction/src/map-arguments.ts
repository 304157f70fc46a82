import { type BusinessContext, type ExtractRule, type ToolConfig } from '@latch/contracts';
import { isAbsent } from './canonicalize.ts';
import { extractValue, isConstant } from './extract-value.ts';
import { type Arguments } from './state.ts';

/**
 * The final arguments of a call (`mcp_parameter_mapping.yaml`): defaults, then what the business context gives, then what was collected, then what is read
 * out of them (`extract`). Done once, when the proposal is made, so that what is shown is what is sent (invariant I5). The raw context never gets any
 * further. A value that its rule cannot read is left out, and then asked for where it is required: it is never sent wrong.
 */
export function mapArguments(tool: ToolConfig, collected: Arguments, businessContext: BusinessContext): Arguments {
  const given = Object.entries(collected).filter(isPresent);
  const known = [...layersOf(tool).defaults, ...mappedEntries(tool, businessContext), ...given];
  const plain = Object.fromEntries(known);
  const { derived, constants } = layersOf(tool);
  if (derived.length === 0 && constants.length === 0) return plain;
  const read = derived.flatMap((rule) => derivedEntry(rule, { known: plain, businessContext, collected }));
  return Object.fromEntries([...known, ...read, ...constants]);
}

/** The arguments that the business context gives under the tool's mapping. A key may be a path such as `metadata.plan`. */
export function mappedValues(tool: ToolConfig, businessContext: BusinessContext): Arguments {
  const constants = layersOf(tool).constants;
  return Object.fromEntries([...mappedEntries(tool, businessContext), ...constants]);
}

type Entry = [name: string, value: unknown];

/** An argument that is read out of another one, or of the business context. */
type DerivedRule = { readonly argument: string; readonly rule: ExtractRule; readonly path: readonly string[] };

/** What a tool's configuration alone says about its arguments. */
type Layers = {
  readonly defaults: readonly Entry[];
  readonly map: readonly { readonly path: readonly string[]; readonly argument: string }[];
  /** Argument -> the rule that what is given for it goes through. */
  readonly own: ReadonlyMap<string, ExtractRule>;
  readonly derived: readonly DerivedRule[];
  readonly constants: readonly Entry[];
};

const knownLayers = new WeakMap<ToolConfig, Layers>();

/** Worked out once per configuration: every turn asks several times. */
function layersOf(tool: ToolConfig): Layers {
  const known = knownLayers.get(tool);
  if (known !== undefined) return known;
  const declared = Object.values(tool.parameters).map(({ name, default: value }): Entry => [name, value]);
  const rules = Object.entries(tool.mapping.extract ?? {});
  const layers = {
    defaults: [...declared, ...Object.entries(tool.mapping.defaults)].filter(isPresent),
    map: Object.entries(tool.mapping.map).map(([key, argument]) => ({ path: key.split('.'), argument })),
    own: new Map(rules.filter(([, rule]) => rule.from === null && !isConstant(rule))),
    derived: rules.flatMap(([argument, rule]) =>
      rule.from === null || isConstant(rule) ? [] : [{ argument, rule, path: rule.from.split('.') }],
    ),
    constants: rules
      .filter(([, rule]) => isConstant(rule))
      .flatMap(([argument, rule]) => constantEntry(argument, rule)),
  };
  knownLayers.set(tool, layers);
  return layers;
}

function constantEntry(argument: string, rule: ExtractRule): Entry[] {
  const read = extractValue(rule, null);
  return read.ok ? [[argument, read.value]] : [];
}

/** The rule that a value given for this argument goes through; undefined: it is taken as it is. */
export function ownRule(tool: ToolConfig, argument: string): ExtractRule | undefined {
  return layersOf(tool).own.get(argument);
}

/** The rules that read other arguments out of this one. */
export function rulesReading(tool: ToolConfig, argument: string): readonly ExtractRule[] {
  const { derived } = layersOf(tool);
  if (derived.length === 0) return [];
  return derived
    .filter(({ path }) => path[0] === 'arguments' && path[1] === argument && path.length === 2)
    .map(({ rule }) => rule);
}

type Known = {
  readonly known: Arguments;
  readonly businessContext: BusinessContext;
  readonly collected: Arguments;
};

/** What was collected for the argument itself outranks what is read out of another one. */
function derivedEntry({ argument, rule, path }: DerivedRule, of: Known): Entry[] {
  if (!isAbsent(of.collected[argument])) return [];
  const source = valueAt({ arguments: of.known, business_context: of.businessContext }, path);
  if (isAbsent(source)) return [];
  const read = extractValue(rule, source);
  return read.ok ? [[argument, read.value]] : [];
}

function mappedEntries(tool: ToolConfig, businessContext: BusinessContext): Entry[] {
  const { map, own } = layersOf(tool);
  return map
    .map(({ path, argument }): Entry => [argument, readOwn(own.get(argument), valueAt(businessContext, path))])
    .filter(isPresent);
}

function readOwn(rule: ExtractRule | undefined, value: unknown): unknown {
  if (rule === undefined || isAbsent(value)) return value;
  const read = extractValue(rule, value);
  return read.ok ? read.value : undefined;
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
