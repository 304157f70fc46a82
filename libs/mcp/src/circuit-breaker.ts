/** `closed`: calls go through. `open`: none does. `half_open`: one does, to see whether the server is back. */
export type CircuitState = 'closed' | 'half_open' | 'open';

/** How a breaker behaves. */
export type CircuitBreakerOptions = {
  /** Failures in a row that open it. */
  readonly failures: number;
  /** How long it stays open before one call is let through. */
  readonly openMs: number;
  /** Told each change; must not throw. */
  readonly onChange?: (state: CircuitState) => void;
  /** Milliseconds of a clock that never goes back. @default performance.now */
  readonly now?: () => number;
};

/** A call that was let through: exactly one of the three ends it, later ones do nothing. */
export type Passage = {
  /** The server answered, whatever it said. */
  succeed(): void;
  /** The server did not answer, or said that it cannot. */
  fail(): void;
  /** Nothing was learned about the server. */
  release(): void;
};

/**
 * Leaves a server alone that fails repeatedly. One breaker per server: a dead server takes only its own tools away (DESIGN section 6). What counts as a
 * failure is the caller's to say; a bad request is none.
 */
export class CircuitBreaker {
  private state: CircuitState = 'closed';
  private failuresInRow = 0;
  private opensUntil = 0;

  constructor(private readonly options: CircuitBreakerOptions) {}

  /** Asks to make a call. @returns how many milliseconds to wait at least, when none is let through now. */
  enter(): { readonly passage: Passage } | { readonly retryAfterMs: number } {
    if (this.state === 'closed') return { passage: this.passage(false) };
    const waitMs = this.opensUntil - this.now();
    if (this.state === 'half_open' || waitMs > 0) return { retryAfterMs: Math.max(Math.ceil(waitMs), 1) };
    this.change('half_open');
    return { passage: this.passage(true) };
  }

  /** Where it stands. An open breaker whose time is over stays `open` until somebody calls. */
  get current(): CircuitState {
    return this.state;
  }

  private passage(isProbe: boolean): Passage {
    let isOpen = true;
    const once = (act: () => void) => (): void => {
      if (isOpen) act();
      isOpen = false;
    };
    return {
      succeed: once(() => this.onSuccess(isProbe)),
      fail: once(() => this.onFailure(isProbe)),
      release: once(() => this.onRelease(isProbe)),
    };
  }

  /** A late success of a call from before the opening does not close it: only the probe tells how the server is now. */
  private onSuccess(isProbe: boolean): void {
    if (!isProbe && this.state !== 'closed') return;
    this.failuresInRow = 0;
    if (isProbe) this.change('closed');
  }

  private onFailure(isProbe: boolean): void {
    this.failuresInRow += 1;
    if (isProbe || (this.state === 'closed' && this.failuresInRow >= this.options.failures)) this.open();
  }

  /** A probe that learned nothing gives its place to the next call. */
  private onRelease(isProbe: boolean): void {
    if (isProbe) this.change('open');
  }

  private open(): void {
    this.opensUntil = this.now() + this.options.openMs;
    this.change('open');
  }

  private change(state: CircuitState): void {
    if (state === this.state) return;
    this.state = state;
    this.options.onChange?.(state);
  }

  private now(): number {
    return (this.options.now ?? (() => performance.now()))();
  }
}
