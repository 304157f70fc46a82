import { type Principal, type Refusal, whenLapsed } from '@latch/http';

/** Whose credential a stream was begun with, and what tells that the caller has gone. */
type Waiting = { readonly principal: Principal; readonly callerGone: AbortSignal };

/** What came of a wait, and what was wrong with its credential if that ended it. */
type Watched<T> = { readonly value: T; readonly lapse: Refusal | null };

/**
 * Watches a credential for as long as a stream runs that was begun with it, however that ends.
 *
 * @param run is given a signal that is aborted when its caller goes away, or the credential ends. What it throws is thrown on.
 */
export async function watchCredential<T>(
  { principal, callerGone }: Waiting,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<Watched<T>> {
  const over = new AbortController();
  let lapse: Refusal | null = null;
  const stop = whenLapsed(principal, (refusal) => {
    lapse = refusal;
    over.abort();
  });
  try {
    const value = await run(AbortSignal.any([callerGone, over.signal]));
    return { value, lapse };
  } finally {
    stop();
  }
}
