import { z } from 'zod';

/** An RFC 9457 problem (`application/problem+json`) with a stable `code` and, for an invalid body, every problem with its JSON path. */
export const Problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string().optional(),
  code: z.string(),
  trace_id: z.string().optional(),
  errors: z.array(z.looseObject({ path: z.string(), message: z.string() })).optional(),
});
export type Problem = z.infer<typeof Problem>;

/** One thing that is wrong with an input, at a JSON path such as `$.payload.message_id`. */
export type InputProblem = { readonly path: string; readonly message: string };

/** Lists every problem that zod found, each with its JSON path. */
export function problemsOf(error: z.ZodError): InputProblem[] {
  return error.issues.map((issue) => ({ path: jsonPath(issue.path), message: issue.message }));
}

/** The JSON path of a value, such as `$.payload.items[2]["odd name"]`. */
export function jsonPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    const name = String(step);
    return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? `${text}.${name}` : `${text}[${JSON.stringify(name)}]`;
  }, '$');
}
