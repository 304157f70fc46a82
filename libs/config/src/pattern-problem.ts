import { isSlowPattern } from './slow-pattern.ts';

/** Why a regular expression cannot stand in a configuration: it is none, or an answer could keep a service busy with it. Null when it can. */
export function patternProblem(pattern: string): string | null {
  if (!isRegularExpression(pattern))
    return 'is no regular expression. Correct it, and put it in single quotes so that YAML keeps the backslashes.';
  return isSlowPattern(pattern) ? slowPattern : null;
}

const slowPattern =
  'repeats something that repeats itself, so that one answer could keep a service busy for hours. Write each part only once, such as ^[a-z]+$ for ^([a-z]+)+$, or put a separator between the rounds, such as ^([a-z]+,)*$.';

function isRegularExpression(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
