/**
 * What stood in the way, and so how often the same work is repeated:
 *
 * - `unavailable`: something is away or busy, whatever the work. For as long as it takes.
 * - `time_out`: the work took longer than it may, and may itself be the reason. A few times; then it is treated as a bug, in smaller parts.
 * - `conflict`: another writer was first. Load and decide again, three times at most; then it is handed back to wherever it came from.
 */
export type RetryableKind = 'unavailable' | 'time_out' | 'conflict';

/**
 * Infrastructure is broken and may heal (database away, broker away, version conflict): whoever catches it repeats the same work.
 * Nothing was decided, nothing was lost.
 */
export class RetryableError extends Error {
  override readonly name = 'RetryableError';

  constructor(
    message: string,
    readonly options: {
      readonly cause?: unknown;
      readonly retryAfterMs?: number;
      /** @default 'unavailable' */
      readonly kind?: RetryableKind;
    } = {},
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
