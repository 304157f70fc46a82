/** One `tools/call` that reached the server, as `GET /calls` tells it. Nothing is masked: it is a sample server with invented customers. */
export type LoggedCall = {
  readonly tool: string;
  readonly key: string | null;
  readonly tenant: string | null;
  readonly arguments: unknown;
  /** SHA-256 of the canonical arguments. */
  readonly argumentsDigest: string;
  readonly at: string;
  /** Things that this call changed; a repeated answer changes nothing. */
  readonly effects: number;
  /** What the server did; `fault` names the switched-on fault, if one was in the way. */
  readonly outcome: 'answered' | 'repeated' | 'conflict' | 'refused' | 'not_run';
  readonly fault: string | null;
};

/** The calls of a sample server in order, the newest `limit` of them, with the total of effects since the last reset. */
export class CallLog {
  private calls: LoggedCall[] = [];
  private effects = 0;
  private dropped = 0;

  constructor(private readonly limit = 10_000) {}

  /** Adds a call at the end. */
  add(call: LoggedCall): void {
    this.effects += call.effects;
    this.calls.push(call);
    if (this.calls.length <= this.limit) return;
    this.calls.shift();
    this.dropped += 1;
  }

  /** The calls, all or of one tool or key. `effects` counts those of the calls listed; `dropped` the calls that are no longer held. */
  report(of: { readonly tool?: string; readonly key?: string } = {}): {
    readonly calls: readonly LoggedCall[];
    readonly effects: number;
    readonly totalEffects: number;
    readonly dropped: number;
  } {
    const { tool, key } = of;
    const calls = this.calls.filter(
      (call) => (tool === undefined || call.tool === tool) && (key === undefined || call.key === key),
    );
    const effects = calls.reduce((sum, call) => sum + call.effects, 0);
    return { calls, effects, totalEffects: this.effects, dropped: this.dropped };
  }

  /** Forgets all calls and counts. */
  clear(): void {
    this.calls = [];
    this.effects = 0;
    this.dropped = 0;
  }
}
