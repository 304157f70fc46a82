import { type ParameterConfig, type ToolConfig, type TurnId } from '@latch/contracts';
import { canonicalize, isAbsent } from './canonicalize.ts';
import { type ArgumentSource } from './events.ts';
import { type UserSpoke } from './inputs.ts';
import { mapArguments, mappedValues } from './map-arguments.ts';
import { type Arguments, type Correction, type TransactionCore } from './state.ts';

/** What one turn adds to the collected values. `invalid`: parameter -> what is wrong with the value that was given. */
export type Merge = {
  readonly values: Arguments;
  readonly sources: Readonly<Record<string, ArgumentSource>>;
  readonly corrections: readonly Correction[];
  readonly invalid: Readonly<Record<string, string>>;
};

/** The values that a message gives for a tool, and whether a form or the text gave them. */
export type SaidValues = {
  readonly values: Arguments;
  readonly source: 'inputs' | 'text';
  /** What was shown before the message: a change of it is a correction, even where only a default was shown. */
  readonly shown?: Arguments;
};

/**
 * Merges the sources of one turn into what was collected before: tool_arguments, business context, context, metadata, what is there already, then what
 * was said (DESIGN section 4). What was said fills what is open and corrects what is not, except an identity that the business context gives:
 * no user speaks for another customer. Undeclared names are dropped.
 */
export function mergeTurn(of: {
  readonly tool: ToolConfig;
  readonly collected: Arguments;
  readonly said: SaidValues;
  readonly turn: UserSpoke;
}): Merge {
  const mapped = mappedValues(of.tool, of.turn.businessContext);
  const offers = Object.values(of.tool.parameters).flatMap((parameter) => {
    const offer = offerFor(parameter, { mapped, collected: of.collected, said: of.said, turn: of.turn });
    return offer === null ? [] : [{ parameter, ...offer, read: canonicalize(parameter, offer.value) }];
  });
  const valid = offers.flatMap(({ parameter, source, read }) =>
    read.ok && !isSame(of.collected[parameter.name], read.value)
      ? [{ name: parameter.name, source, value: read.value }]
      : [],
  );
  const values = Object.fromEntries(valid.map(({ name, value }) => [name, value]));
  return {
    values,
    sources: Object.fromEntries(valid.map(({ name, source }) => [name, source])),
    corrections: correctionsOf({ ...of.said.shown, ...of.collected }, values, of.turn.turnId),
    invalid: Object.fromEntries(
      offers.flatMap(({ parameter, read }) => (read.ok ? [] : [[parameter.name, read.error] as const])),
    ),
  };
}

/** The new values that replace an earlier one, each with both. */
export function correctionsOf(collected: Arguments, values: Arguments, turnId: TurnId): readonly Correction[] {
  return Object.entries(values)
    .filter(([name]) => !isAbsent(collected[name]))
    .map(([parameter, to]) => ({ parameter, from: collected[parameter], to, turnId }));
}

/** The parameters that are still needed, in the order in which the policy lists them: required ones that nothing gives, and refused ones. */
export function missingParameters(
  tool: ToolConfig,
  transaction: Pick<TransactionCore, 'arguments' | 'businessContext'> & { readonly reopened?: readonly string[] },
): readonly string[] {
  const known = mapArguments(tool, transaction.arguments, transaction.businessContext);
  const reopened = (transaction.reopened ?? []).filter((name) => isAbsent(transaction.arguments[name]));
  const required = tool.requires.filter((name) => isAbsent(known[name]));
  return [...new Set([...reopened, ...required])];
}

/** How a parameter is called in a sentence and asked for; a name without a declaration speaks for itself. */
export function parameterView(
  tool: ToolConfig,
  name: string,
): { readonly name: string; readonly label: string; readonly userPrompt: string | null } {
  const declared = tool.parameters[name];
  return { name, label: declared?.label ?? name, userPrompt: declared?.userPrompt ?? null };
}

type Offer = { readonly value: unknown; readonly source: ArgumentSource };

function offerFor(
  parameter: ParameterConfig,
  of: {
    readonly mapped: Arguments;
    readonly collected: Arguments;
    readonly said: SaidValues;
    readonly turn: UserSpoke;
  },
): Offer | null {
  const { name } = parameter;
  const { sources } = of.turn;
  const firm = firstOffer([
    [sources.toolArguments[name], 'tool_arguments'],
    [of.mapped[name], 'business_context'],
  ]);
  if (firm !== null) return firm;
  const around = firstOffer([
    [sources.context[name], 'context'],
    [sources.metadata[name], 'metadata'],
  ]);
  if (around !== null && isAbsent(of.collected[name])) return around;
  return firstOffer([[of.said.values[name], of.said.source]]);
}

function firstOffer(candidates: readonly (readonly [unknown, ArgumentSource])[]): Offer | null {
  const found = candidates.find(([value]) => !isAbsent(value));
  return found === undefined ? null : { value: found[0], source: found[1] };
}

/** Whether two JSON values are written the same. */
export function isSame(before: unknown, after: unknown): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}
