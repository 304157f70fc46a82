import { z } from 'zod';

/** Who acts on a failure: transient -> the executor retries; validation -> correct the input; business -> tell; permission -> tell and escalate. */
export const ErrorCategory = z.enum(['transient', 'validation', 'business', 'permission']);
export type ErrorCategory = z.infer<typeof ErrorCategory>;

/** A tool failure that somebody can act on (seeds, structured errors lesson; wire names of that lesson). */
export const StructuredError = z.looseObject({
  errorCategory: ErrorCategory,
  /** Whether the same input may be sent again. Always false for a validation error. */
  isRetryable: z.boolean(),
  message: z.string(),
  /** Stable code from the error catalogue, such as `tool.timeout`. */
  code: z.string().optional(),
  /** What was tried: tool, attempts, the query. */
  attempted: z.string().nullish(),
  partialResults: z.array(z.unknown()).optional(),
  alternatives: z.array(z.string()).optional(),
  /** The wrong argument, where the tool names it. */
  parameter: z.string().optional(),
  retryAfterMs: z.number().int().nonnegative().optional(),
});
export type StructuredError = z.infer<typeof StructuredError>;
