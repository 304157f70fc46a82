import { defaultAlternatives, type ErrorCode, type StructuredError } from '@latch/contracts';
import { type Verdict } from './verdict.ts';

/** A StructuredError with a catalogued code. */
export function structuredError(verdict: Verdict, code: ErrorCode, message: string): StructuredError {
  return { errorCategory: verdict.errorCategory, isRetryable: verdict.isRetryable, message, code };
}

/**
 * Completes an error with what was tried and what else can be done, where the tool did not say it itself: whoever gets it must be able to
 * decide without asking back (seeds/004, "Recuperação local vs propagação").
 */
export function withContext(
  error: StructuredError,
  tried: { readonly tool: string; readonly attempts: number },
): StructuredError {
  const times = tried.attempts === 1 ? '1 attempt' : `${tried.attempts} attempts`;
  return {
    ...error,
    attempted: error.attempted ?? `${tried.tool}, ${times}`,
    partialResults: error.partialResults ?? [],
    alternatives: error.alternatives ?? [alternativeOf(error)],
  };
}

function alternativeOf(error: StructuredError): string {
  switch (error.errorCategory) {
    case 'transient':
      return error.isRetryable ? defaultAlternatives.repeatLater : defaultAlternatives.askBeforeRepeating;
    case 'validation':
      return defaultAlternatives.correct;
    case 'business':
      return defaultAlternatives.tellUser;
    case 'permission':
      return defaultAlternatives.escalate;
    default:
      return error.errorCategory satisfies never;
  }
}
