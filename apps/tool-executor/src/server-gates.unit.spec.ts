import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type McpServerConfig, type RawOutcome } from '@latch/contracts';
import { type CircuitState } from '@latch/mcp';
import { type Passage, ServerGates } from './server-gates.ts';

const openMs = 30;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const server: McpServerConfig = {
  name: 'contas',
  url: 'http://127.0.0.1:1/mcp',
  enabled: true,
  connectTimeoutMs: 100,
  maxConcurrentCalls: 8,
  maxResultBytes: 1_000,
  breaker: { failures: 2, openMs },
};

const dead: RawOutcome = { kind: 'transport_error', code: 'ECONNREFUSED', message: 'x', sent: false };
const alive: RawOutcome = { kind: 'result', result: {} };

/** The gates of a server that has failed twice, and what its breaker went through since. */
async function opened(): Promise<{ gates: ServerGates; states: CircuitState[] }> {
  const states: CircuitState[] = [];
  const gates = new ServerGates((_, state) => states.push(state));
  for (let call = 0; call < 2; call += 1) (await passed(gates))?.leave(dead);
  expect(states).toEqual(['open']);
  return { gates, states };
}

async function passed(gates: ServerGates): Promise<Passage | null> {
  const entry = await gates.enter(server, 1_000);
  return entry.ok ? entry.value : null;
}

/** Many calls at once; those that were let through. */
async function many(gates: ServerGates): Promise<readonly Passage[]> {
  const entries = await Promise.all(Array.from({ length: 30 }, () => passed(gates)));
  return entries.filter((passage) => passage !== null);
}

const untilHalfOpen = (): Promise<void> => jest.advanceTimersByTimeAsync(openMs + 1);

describe('a server that failed repeatedly', () => {
  it('is called by nobody while its breaker is open, and that refusal says when to come again', async () => {
    const { gates } = await opened();
    expect(await many(gates)).toEqual([]);
    const refusal = await gates.enter(server, 1_000);
    expect(refusal).toMatchObject({ ok: false, error: { code: 'tool.circuit_open', isRetryable: true } });
  });

  it('is called by exactly one of many that wait, once its time is over', async () => {
    const { gates, states } = await opened();
    await untilHalfOpen();
    expect(await many(gates)).toHaveLength(1);
    expect(await many(gates)).toHaveLength(0);
    expect(states).toEqual(['open', 'half_open']);
  });

  it('is left alone again when that one fails, for as long as before', async () => {
    const { gates, states } = await opened();
    await untilHalfOpen();
    const [probe] = await many(gates);
    probe?.leave(dead);
    expect(await many(gates)).toHaveLength(0);
    expect(states).toEqual(['open', 'half_open', 'open']);
    await untilHalfOpen();
    expect(await many(gates)).toHaveLength(1);
  });

  it('is called by all again when that one is answered', async () => {
    const { gates, states } = await opened();
    await untilHalfOpen();
    const [probe] = await many(gates);
    probe?.leave(alive);
    expect(states).toEqual(['open', 'half_open', 'closed']);
    const places = await Promise.all(Array.from({ length: server.maxConcurrentCalls }, () => passed(gates)));
    expect(places).not.toContain(null);
    expect(gates.troubled).toEqual([]);
  });

  it('is probed by the next one when the first was not sent after all', async () => {
    const { gates } = await opened();
    await untilHalfOpen();
    const [probe] = await many(gates);
    probe?.leave(null);
    expect(await many(gates)).toHaveLength(1);
  });
});
