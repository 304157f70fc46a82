import { z } from 'zod';

/**
 * Why an HTTP call failed: an RFC 9457 problem (`application/problem+json`) with a stable `code` and, for an invalid body, every problem with its JSON path.
 *
 * @example { type: 'urn:latch:problem:turn.conflict', title: 'Conflict', status: 409, code: 'turn.conflict' }
 * @see RFC 9457; DESIGN section 10
 */
export const Problem = z
  .looseObject({
    type: z
      .string()
      .meta({ description: 'Names the kind of problem.', examples: ['urn:latch:problem:request.invalid'] }),
    title: z.string().describe('The kind of problem in words; the same for every problem of the status.'),
    status: z.number().int().meta({ description: 'The HTTP status code.', examples: [422] }),
    detail: z.string().optional().describe('What to do about it. It repeats no value that the caller sent.'),
    code: z.string().meta({ description: 'Stable code from the error catalogue.', examples: ['request.invalid'] }),
    trace_id: z.string().optional().describe('W3C trace id of the request: it leads to the log lines.'),
    errors: z
      .array(
        z.looseObject({
          path: z.string().meta({ description: 'JSON path of what is wrong.', examples: ['$.payload.message_id'] }),
          message: z.string().describe('What is wrong with it.'),
        }),
      )
      .optional()
      .describe('Everything that is wrong with the body or the query.'),
  })
  .meta({
    description: 'Why an HTTP call failed: an RFC 9457 problem with a stable code.',
    'x-source': 'RFC 9457; DESIGN section 10',
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
