import { failure, type InputProblem, type Result, success } from '@latch/contracts';
import { problemsInJson } from './problems-in-json.ts';

/** Why a text was refused: it is no JSON, or it is JSON that means two things or that nothing behind the edge could hold. */
export type JsonRefusal =
  { readonly kind: 'malformed' } | { readonly kind: 'refused'; readonly problems: readonly InputProblem[] };

/**
 * Parses a text as interoperable JSON (RFC 7493), in time linear in its length.
 *
 * @returns `refused`, with every problem at its path, for what `problemsInJson` names: names given twice, `__proto__`, lone surrogates, ...
 */
export function parseStrictJson(text: string): Result<unknown, JsonRefusal> {
  const parsed = parseJson(text);
  if (!parsed.ok) return failure({ kind: 'malformed' });
  const problems = problemsInJson(text);
  return problems.length === 0 ? parsed : failure({ kind: 'refused', problems });
}

function parseJson(text: string): Result<unknown, 'malformed'> {
  try {
    return success(JSON.parse(text));
  } catch {
    return failure('malformed');
  }
}
