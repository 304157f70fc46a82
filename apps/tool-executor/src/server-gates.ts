import {
  failure,
  type McpServerConfig,
  type RawOutcome,
  type Result,
  type StructuredError,
  success,
} from '@latch/contracts';
import { Bulkhead, CircuitBreaker, type CircuitState, isServerFailure } from '@latch/mcp';

/** Calls that may wait for a place at a server, per place. */
const waitingPerPlace = 4;

/** A way through to a server: `leave` must be called once, with what came of it; null when nothing was sent. */
export type Passage = { leave(outcome: RawOutcome | null): void };

type Gate = { readonly breaker: CircuitBreaker; readonly bulkhead: Bulkhead };

/** Told when a server's breaker changes. */
export type OnCircuitChange = (server: string, state: CircuitState) => void;

/** A breaker and a bulkhead per server, so that a dead or slow server takes only its own tools away. */
export class ServerGates {
  private readonly gates = new Map<string, Gate>();

  constructor(private readonly onChange: OnCircuitChange) {}

  /** Asks to call a server. @returns the passage, or a transient refusal: nothing was sent. */
  async enter(server: McpServerConfig, timeoutMs: number): Promise<Result<Passage, StructuredError>> {
    const { breaker, bulkhead } = this.gateOf(server);
    const leavePlace = await bulkhead.enter(timeoutMs);
    if (leavePlace === null) return failure(busy(server));
    const entry = breaker.enter();
    if ('retryAfterMs' in entry) {
      leavePlace();
      return failure(circuitOpen(server, entry.retryAfterMs));
    }
    return success({
      leave(outcome: RawOutcome | null) {
        leavePlace();
        if (outcome === null) entry.passage.release();
        else if (isServerFailure(outcome)) entry.passage.fail();
        else entry.passage.succeed();
      },
    });
  }

  /** The servers whose breaker is not closed. */
  get troubled(): readonly string[] {
    return [...this.gates].filter(([, { breaker }]) => breaker.current !== 'closed').map(([server]) => server);
  }

  private gateOf({ name, breaker, maxConcurrentCalls }: McpServerConfig): Gate {
    const known = this.gates.get(name);
    if (known !== undefined) return known;
    const gate = {
      breaker: new CircuitBreaker({ ...breaker, onChange: (state) => this.onChange(name, state) }),
      bulkhead: new Bulkhead({ maxConcurrent: maxConcurrentCalls, maxWaiting: maxConcurrentCalls * waitingPerPlace }),
    };
    this.gates.set(name, gate);
    return gate;
  }
}

function busy({ name }: McpServerConfig): StructuredError {
  return {
    errorCategory: 'transient',
    isRetryable: true,
    code: 'tool.busy',
    message: `Too many calls to ${name} are running.`,
  };
}

function circuitOpen({ name }: McpServerConfig, retryAfterMs: number): StructuredError {
  const message = `${name} failed repeatedly and is not called until it answers again.`;
  return { errorCategory: 'transient', isRetryable: true, code: 'tool.circuit_open', message, retryAfterMs };
}
