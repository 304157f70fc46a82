import { failure, type ParameterConfig, type Result, success, type ToolConfig } from '@latch/contracts';
import { canonicalize, isAbsent } from './canonicalize.ts';
import { extractValue } from './extract-value.ts';
import { ownRule, rulesReading } from './map-arguments.ts';

/** A value that one source gives for one parameter. */
export type GivenValue = {
  readonly tool: ToolConfig;
  readonly parameter: ParameterConfig;
  readonly value: unknown;
  /** It comes out of the mapping, which has read it already. */
  readonly isMapped: boolean;
};

/**
 * Reads a given value: through the argument's own extraction rule, then against its declaration. A parameter that is declared as text keeps what the rule
 * gives, also a number, because the declaration says how it is said and the rule what is sent.
 *
 * @returns `ok: false` with a short reason in English when the value is wrong, or when another argument that is read out of it could not be.
 */
export function readGiven({ tool, parameter, value, isMapped }: GivenValue): Result<unknown, string> {
  const rule = isMapped ? undefined : ownRule(tool, parameter.name);
  const extracted = rule === undefined ? success(value) : extractValue(rule, value);
  if (!extracted.ok) return extracted;
  const checked = canonicalize(parameter, extracted.value);
  if (!checked.ok) return checked;
  const kept = rule !== undefined && parameter.type === 'string' ? extracted.value : checked.value;
  const problem = derivationProblem(tool, parameter.name, kept);
  return problem === null ? success(kept) : failure(problem);
}

/** Why an argument that is read out of this one has no value; null when each has. */
function derivationProblem(tool: ToolConfig, name: string, value: unknown): string | null {
  if (isAbsent(value)) return null;
  for (const rule of rulesReading(tool, name)) {
    const read = extractValue(rule, value);
    if (!read.ok) return read.error;
  }
  return null;
}
