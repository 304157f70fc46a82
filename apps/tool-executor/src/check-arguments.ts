import { type ToolConfig } from '@latch/contracts';
import { canonicalize } from '@latch/transaction';
import { type Refusal } from './check-capsule.ts';

/**
 * Whether the approved arguments fit what the tool declares for them now: type, enumeration, pattern, minimum and maximum, by the engine's own rules. The
 * engine has checked them before it asked for the confirmation; here it is checked again because the declaration may have been tightened since, and because
 * nothing else stands between an approval and the outside world. An argument that is not declared, such as one from the parameter mapping, has no rule.
 *
 * @returns why the call is refused, or null. The message names the arguments and repeats no value of them.
 */
export function checkArguments(
  given: Readonly<Record<string, unknown>>,
  { name, parameters }: Pick<ToolConfig, 'name' | 'parameters'>,
): Refusal | null {
  const problems = Object.values(parameters).flatMap((parameter) => {
    const value = Object.hasOwn(given, parameter.name) ? given[parameter.name] : undefined;
    if (value === undefined || value === null) return [];
    const fits = canonicalize(parameter, value);
    return fits.ok ? [] : [`${parameter.name} ${fits.error}`];
  });
  if (problems.length === 0) return null;
  const message = `The arguments do not fit what ${name} declares: ${problems.join('; ')}.`;
  return { errorCategory: 'validation', isRetryable: false, message, code: 'tool.not_allowed' };
}
