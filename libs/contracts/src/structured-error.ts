import { z } from 'zod';
import { pinned } from './pinned.ts';

/**
 * Who acts on a failure: transient -> the executor retries; validation -> correct the input; business -> tell; permission -> tell and escalate.
 *
 * @example 'transient'
 * @see Structured errors lesson, the four categories
 */
export const ErrorCategory = z.enum(['transient', 'validation', 'business', 'permission']);
export type ErrorCategory = z.infer<typeof ErrorCategory>;

/**
 * A tool failure that somebody can act on. The wire names are those of the lesson, camelCase as in MCP.
 *
 * @example { errorCategory: 'transient', isRetryable: true, message: 'Upstream API timeout apos 10s' }
 * @see Structured errors lesson; DESIGN section 5
 */
export const StructuredError = z
  .looseObject({
    errorCategory: ErrorCategory.describe('Who acts on it.').meta(pinned('Who acts: transient the caller of the tool, validation who gave the input, business and permission a person.')),
    isRetryable: z.boolean().describe('Whether the same input may be sent again. Always false for a validation error.').meta(pinned('The same input may be sent again, under the same idempotency key.')),
    message: z.string().describe('What went wrong, for a person.'),
    code: z
      .string()
      .optional()
      .meta({ description: 'Stable code from the error catalogue.', examples: ['tool.timeout'] }),
    attempted: z.string().nullish().describe('What was tried: tool, attempts, the query.'),
    partialResults: z.array(z.unknown()).optional().describe('What was found before it failed.'),
    alternatives: z.array(z.string()).optional().describe('What could be tried instead.'),
    parameter: z.string().optional().describe('The wrong argument, where the tool names it.'),
    missing: z.array(z.string()).optional().describe('The arguments that the tool asks for, where it names them.'),
    retryAfterMs: z.number().int().nonnegative().optional().describe('When it may be tried again, in milliseconds.'),
  })
  .meta({
    description: 'A tool failure that somebody can act on.',
    'x-source': 'Structured errors lesson',
  });
export type StructuredError = z.infer<typeof StructuredError>;

/**
 * What Latch advises the caller of a tool where the tool names no alternative itself (seeds/004, "Recuperação local vs propagação"). It is for whoever
 * decides about recovery, never for the user.
 */
export const defaultAlternatives = {
  repeatLater: 'Try the same call again later.',
  askBeforeRepeating: 'Ask the domain system what became of the call before repeating it.',
  correct: 'Correct the value and call again.',
  tellUser: 'Tell the user the reason; the same request will be refused again.',
  escalate: 'Escalate to someone who is allowed to do it.',
  askForLess: 'Ask for less: narrow the filter or the period.',
} as const;

/** What Latch writes as the message of an error where the tool said nothing. It is for the caller of the tool; the user gets it in their language. */
export const defaultMessages = {
  saidNothing: 'The tool failed and said nothing about why.',
  noEvidence: 'The tool answered without any evidence of what it did.',
  noEvidenceOfItems: 'The tool gives no evidence of what became of the items.',
  nothingProcessed: 'No item was processed.',
  validatorSaidNothing: 'The validator failed and did not say why.',
} as const;
