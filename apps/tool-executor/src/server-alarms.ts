import { deterministicId } from '@latch/contracts';
import { type CircuitState } from '@latch/mcp';
import { type ReceivedEnvelope } from '@latch/messaging';
import { serverSignal } from './envelopes.ts';

type Alarm = { readonly id: string; readonly raisedAt: string };

/** What an alarm is about, in the words of ITU-T X.733. */
type Condition = {
  readonly raise: 'NOC.MCP_TIMEOUT' | 'NOC.MCP_SERVER_DOWN';
  readonly clear: 'NOC.MCP_TIMEOUT' | 'NOC.MCP_SERVER_UP';
  readonly perceivedSeverity: 'minor' | 'major';
  readonly probableCause: string;
  readonly problem: (server: string) => string;
};

const timeouts: Condition = {
  raise: 'NOC.MCP_TIMEOUT',
  clear: 'NOC.MCP_TIMEOUT',
  perceivedSeverity: 'minor',
  probableCause: 'response_time_excessive',
  problem: (server) => `calls to the MCP server ${server} pass their deadline`,
};

const down: Condition = {
  raise: 'NOC.MCP_SERVER_DOWN',
  clear: 'NOC.MCP_SERVER_UP',
  perceivedSeverity: 'major',
  probableCause: 'underlying_resource_unavailable',
  problem: (server) => `the MCP server ${server} is not called until it answers again`,
};

/**
 * The alarms of the servers: raised once, cleared once under the same `alarm_id` (DESIGN section 3). Each method gives the NOC events to emit, none while
 * a condition lasts.
 */
export class ServerAlarms {
  private readonly raised = new Map<string, Alarm>();

  constructor(private readonly now: () => string) {}

  /** A call passed its deadline. `facts` are told with it. */
  timedOut(server: string, facts: Readonly<Record<string, unknown>>): readonly ReceivedEnvelope[] {
    return this.raise(timeouts, server, facts);
  }

  /** A call was answered. */
  answered(server: string): readonly ReceivedEnvelope[] {
    return this.clear(timeouts, server);
  }

  /** The breaker of a server changed. A probe changes nothing yet. */
  circuitChanged(server: string, state: CircuitState): readonly ReceivedEnvelope[] {
    if (state === 'half_open') return [];
    return state === 'open' ? this.raise(down, server, {}) : this.clear(down, server);
  }

  private raise(
    condition: Condition,
    server: string,
    facts: Readonly<Record<string, unknown>>,
  ): readonly ReceivedEnvelope[] {
    const key = keyOf(condition, server);
    if (this.raised.has(key)) return [];
    const raisedAt = this.now();
    const alarm = { id: deterministicId('alarm', condition.raise, server, raisedAt), raisedAt };
    this.raised.set(key, alarm);
    const payload = { server, ...facts, alarm: { ...wordsOf(condition, server, alarm), cleared_at: null } };
    const eventId = deterministicId('raised', alarm.id);
    return [serverSignal(server, { eventType: condition.raise, eventId, payload, timestamp: raisedAt })];
  }

  private clear(condition: Condition, server: string): readonly ReceivedEnvelope[] {
    const key = keyOf(condition, server);
    const alarm = this.raised.get(key);
    if (alarm === undefined) return [];
    this.raised.delete(key);
    const clearedAt = this.now();
    const words = { ...wordsOf(condition, server, alarm), perceived_severity: 'cleared', cleared_at: clearedAt };
    const eventId = deterministicId('cleared', alarm.id);
    const signal = { eventType: condition.clear, eventId, payload: { server, alarm: words }, timestamp: clearedAt };
    return [serverSignal(server, { ...signal, severity: 'cleared' })];
  }
}

function keyOf(condition: Condition, server: string): string {
  return `${condition.raise} ${server}`;
}

function wordsOf(condition: Condition, server: string, alarm: Alarm): Readonly<Record<string, unknown>> {
  return {
    alarm_id: alarm.id,
    perceived_severity: condition.perceivedSeverity,
    probable_cause: condition.probableCause,
    specific_problem: condition.problem(server),
    raised_at: alarm.raisedAt,
  };
}
