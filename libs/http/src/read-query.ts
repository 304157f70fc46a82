import { failure, problemsOf, type Result, success } from '@latch/contracts';
import { type z } from 'zod';
import { invalidRequest, type Refusal } from './refusal.ts';

/** Reads a query string in the shape of a strict schema: a misspelled filter must not look like an empty result. Every problem is reported together. */
export function readQuery<S extends z.ZodType>(schema: S, query: unknown): Result<z.output<S>, Refusal> {
  const parsed = schema.safeParse(query);
  if (parsed.success) return success(parsed.data);
  const problems = problemsOf(parsed.error).map(({ path, message }) => ({ path: path.replace('$', 'query'), message }));
  return failure(invalidRequest(problems, 'The query is not valid.'));
}
