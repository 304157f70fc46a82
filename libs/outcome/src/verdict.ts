import { type ErrorCategory } from '@latch/contracts';

/** Who acts on a failure, and whether the same input may be sent again. */
export type Verdict = { readonly errorCategory: ErrorCategory; readonly isRetryable: boolean };

/** The only verdict that allows a retry: the other three stay wrong however often the same input is sent. */
export const transient: Verdict = { errorCategory: 'transient', isRetryable: true };
/** The input is wrong: not retryable with the same input, to be corrected and sent again. */
export const validation: Verdict = { errorCategory: 'validation', isRetryable: false };
/** A rule or a state of the domain forbids it. */
export const business: Verdict = { errorCategory: 'business', isRetryable: false };
/** Not allowed for this caller. */
export const permission: Verdict = { errorCategory: 'permission', isRetryable: false };
