import { failure, problemsOf, type Result, success } from '@latch/contracts';
import { z } from 'zod';
import { invalidRequest, type Refusal } from './refusal.ts';

/** Of a read that has nothing to choose. Queries are strict: a misspelled filter must not look like an empty result. */
export const NoQuery = z.strictObject({});

/** Reads a query string in the shape of a strict schema; every problem is reported together. */
export function readQuery<S extends z.ZodType>(schema: S, query: unknown): Result<z.output<S>, Refusal> {
  const parsed = schema.safeParse(query);
  if (parsed.success) return success(parsed.data);
  const problems = problemsOf(parsed.error).map(({ path, message }) => ({ path: path.replace('$', 'query'), message }));
  return failure(invalidRequest(problems, 'The query is not valid.'));
}
