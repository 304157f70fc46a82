/**
 * Infrastructure is broken and may heal (database away, broker away, version conflict): whoever catches it repeats the same work.
 * Nothing was decided, nothing was lost.
 */
export class RetryableError extends Error {
  override readonly name = 'RetryableError';

  constructor(
    message: string,
    readonly options: { readonly cause?: unknown; readonly retryAfterMs?: number } = {},
  ) {
    super(message, { cause: options.cause });
  }
}

/** A bug or an input that can never be handled: repeating is useless, the message goes to the dead letters. `code` is in the error catalogue. */
export class TerminalError extends Error {
  override readonly name = 'TerminalError';

  constructor(
    message: string,
    readonly options: { readonly code: string; readonly cause?: unknown },
  ) {
    super(message, { cause: options.cause });
  }
}
