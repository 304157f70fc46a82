import { type Principal, type Refusal, whenLapsed } from '@latch/http';

/** A wait that its caller, or the end of its caller's credential, breaks off. */
export type CredentialWatch = {
  /** Aborted by either. */
  readonly signal: AbortSignal;
  /** What was wrong with the credential, if it was that. */
  readonly lapse: () => Refusal | null;
  readonly stop: () => void;
};

/** Watches a credential while a stream runs that was begun with it. */
export function watchCredential(principal: Principal, callerGone: AbortSignal): CredentialWatch {
  const over = new AbortController();
  let lapse: Refusal | null = null;
  const stop = whenLapsed(principal, (refusal) => {
    lapse = refusal;
    over.abort();
  });
  return { signal: AbortSignal.any([callerGone, over.signal]), lapse: () => lapse, stop };
}
