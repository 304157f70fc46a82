import { AsyncLocalStorage } from 'node:async_hooks';
import { type RawOutcome } from '@latch/contracts';

/** What a server asked in the middle of a call. */
export type Question = { readonly message: string; readonly requestedSchema: Record<string, unknown> };

/**
 * What one attempt has come to so far. The MCP SDK shares one transport, and so one fetch, among all calls of a session; the scope tells the fetch
 * which call it works for, and takes from it what the SDK's errors do not say: whether the request left, the status, the reason of a break.
 */
export class CallScope {
  /** Whether the request may have reached the server. */
  isSent = false;
  /** Status and `Retry-After` of an HTTP answer that is no success. */
  refusal: { readonly status: number; readonly retryAfter: string | null } | null = null;
  /** The first question of the server, which was answered with `cancel`. */
  question: Question | null = null;
  /** The request whose answer may still come on another stream: id of the request, and failures of getting that stream so far. */
  resumption: { readonly requestId: number; failures: number } | null = null;
  /** Resolves with the first failure; stays pending when there is none. */
  readonly failure: Promise<RawOutcome>;
  private readonly controller = new AbortController();
  private resolveFailure: (outcome: RawOutcome) => void = () => {};
  private hasEnded = false;

  constructor(readonly headers: Readonly<Record<string, string>> = {}) {
    this.failure = new Promise((resolve) => {
      this.resolveFailure = resolve;
    });
  }

  /** Aborted by the first failure: whatever still works for this call stops. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Whether the attempt has its answer or its failure. */
  get isOver(): boolean {
    return this.hasEnded;
  }

  /** Forgets an attempt that never reached a tool, before the next one. */
  restart(): void {
    this.isSent = false;
    this.refusal = null;
    this.question = null;
    this.resumption = null;
  }

  /** Ends the attempt with a failure; the first one counts. */
  fail(outcome: RawOutcome): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.resolveFailure(outcome);
    this.controller.abort(new Error(outcome.kind));
  }

  /** The attempt has its answer: nothing that comes later is a failure of it. */
  finish(): void {
    this.hasEnded = true;
  }
}

/** The scope for which the running code works. */
export const currentScope = new AsyncLocalStorage<CallScope>();
