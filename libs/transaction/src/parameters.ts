import { type ToolConfig, type TurnId } from '@latch/contracts';
import { isAbsent } from './canonicalize.ts';
import { type ArgumentSource } from './events.ts';
import { type UserSpoke } from './inputs.ts';
import { mapArguments, mappedValues } from './map-arguments.ts';
import { readGiven } from './read-given.ts';
import { type Arguments, type Correction, type TransactionCore } from './state.ts';

/** What one turn adds to the collected values. `invalid`: parameter -> what is wrong with the value that was given. */
export type Merge = {
  readonly values: Arguments;
  readonly sources: Readonly<Record<string, ArgumentSource>>;
  readonly corrections: readonly Correction[];
  readonly invalid: Readonly<Record<string, string>>;
};

/** What a turn brings beside the words. */
export type TurnValues = Pick<UserSpoke, 'turnId' | 'businessContext' | 'sources'>;

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
  readonly turn: TurnValues;
}): Merge {
  const { tool, collected, said, turn } = of;
  const offered = { mapped: mappedValues(tool, turn.businessContext), collected, said, turn };
  const values: [string, unknown][] = [];
  const sources: [string, ArgumentSource][] = [];
  const invalid: [string, string][] = [];
  for (const name of Object.keys(tool.parameters)) {
    const offer = offerFor(name, offered);
    const parameter = offer === null ? undefined : tool.parameters[name];
    if (offer === null || parameter === undefined) continue;
    const read = readGiven({ tool, parameter, value: offer.value, isMapped: offer.source === 'business_context' });
    if (!read.ok) invalid.push([name, read.error]);
    else if (!isSame(collected[name], read.value)) {
      values.push([name, read.value]);
      sources.push([name, offer.source]);
    }
  }
  if (values.length === 0 && invalid.length === 0) return nothingNew;
  const merged = Object.fromEntries(values);
  return {
    values: merged,
    sources: Object.fromEntries(sources),
    corrections: values.length === 0 ? [] : correctionsOf({ ...said.shown, ...collected }, merged, turn.turnId),
    invalid: Object.fromEntries(invalid),
  };
}

/** What a turn without any news adds: the same value every time, so that it can be told at a glance. */
export const nothingNew: Merge = { values: {}, sources: {}, corrections: [], invalid: {} };

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
  const notCollected = tool.requires.filter((name) => isAbsent(transaction.arguments[name]));
  const known = notCollected.length === 0 ? {} : mapArguments(tool, transaction.arguments, transaction.businessContext);
  const reopened = (transaction.reopened ?? []).filter((name) => isAbsent(transaction.arguments[name]));
  const required = notCollected.filter((name) => isAbsent(known[name]));
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

type Offered = {
  readonly mapped: Arguments;
  readonly collected: Arguments;
  readonly said: SaidValues;
  readonly turn: TurnValues;
};

function offerFor(name: string, { mapped, collected, said, turn: { sources } }: Offered): Offer | null {
  const firm = offerOf(sources.toolArguments[name], 'tool_arguments') ?? offerOf(mapped[name], 'business_context');
  if (firm !== null) return firm;
  const isOpen = isAbsent(collected[name]);
  const around = isOpen
    ? (offerOf(sources.context[name], 'context') ?? offerOf(sources.metadata[name], 'metadata'))
    : null;
  return around ?? offerOf(said.values[name], said.source);
}

function offerOf(value: unknown, source: ArgumentSource): Offer | null {
  return isAbsent(value) ? null : { value, source };
}

/** Whether two JSON values are written the same. */
export function isSame(before: unknown, after: unknown): boolean {
  return before === after || JSON.stringify(before) === JSON.stringify(after);
}
