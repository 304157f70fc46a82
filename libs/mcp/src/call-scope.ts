import { AsyncLocalStorage } from 'node:async_hooks';
import { type RawOutcome } from '@latch/contracts';

/**
 * What one attempt has come to so far. The MCP SDK shares one transport, and so one fetch, among all calls of a session; the scope tells the fetch
 * which call it works for, and takes from it what the SDK's errors do not say: whether the request left, the status, the reason of a break.
 */
export class CallScope {
  /** Whether the `tools/call` request may have reached the server. */
  isSent = false;
  /** Status and `Retry-After` of an HTTP answer that is no success. */
  refusal: { readonly status: number; readonly retryAfter: string | null } | null = null;
  /** Resolves with the first failure; stays pending when there is none. */
  readonly failure: Promise<RawOutcome>;
  private readonly controller = new AbortController();
  private resolveFailure: (outcome: RawOutcome) => void = () => {};
  private isOver = false;

  constructor(readonly headers: Readonly<Record<string, string>> = {}) {
    this.failure = new Promise((resolve) => {
      this.resolveFailure = resolve;
    });
  }

  /** Aborted by the first failure: whatever still works for this call stops. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Ends the attempt with a failure; the first one counts. */
  fail(outcome: RawOutcome): void {
    if (this.isOver) return;
    this.isOver = true;
    this.resolveFailure(outcome);
    this.controller.abort(new Error(outcome.kind));
  }

  /** The attempt has its answer: nothing that comes later is a failure of it. */
  finish(): void {
    this.isOver = true;
  }
}

/** The scope for which the running code works. */
export const currentScope = new AsyncLocalStorage<CallScope>();
