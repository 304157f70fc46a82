import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '@latch/testing';
import { type McpClientPool } from './mcp-client-pool.ts';
import { answerJson, echo, poolFor, serverConfig, TestServer } from './test-server.features.ts';

jest.setTimeout(30_000);

let server: TestServer;
let pool: McpClientPool;

beforeEach(async () => {
  server = await new TestServer().listen();
  pool = poolFor(serverConfig('test', server.port));
});

afterEach(async () => {
  await pool.close();
  await server.close();
});

describe('sessions', () => {
  it('are kept over calls of one owner', async () => {
    for (let at = 0; at < 3; at += 1) await pool.callTool(echo());
    expect(server.handshakes).toBe(1);
  });

  it('are opened once for calls that come together', async () => {
    await Promise.all([echo(), echo(), echo()].map((call) => pool.callTool(call)));
    expect(server.handshakes).toBe(1);
  });

  it.each([
    ['tenants', { tenant: 'tenant-2' }],
    ['principals', { principal: 'agent-2' }],
    ['owners whose names run into each other', { tenant: 'tenant-1","agent-1' }],
  ])('are never shared between two %s', async (_, other) => {
    await pool.callTool(echo());
    await pool.callTool(echo(other));
    expect(new Set(server.calls.map(({ session }) => session)).size).toBe(2);
  });

  it('without a call for the idle time are ended, and the server is told', async () => {
    const short = poolFor(serverConfig('test', server.port), { sessionIdleMs: 50 });
    await short.callTool(echo());
    await eventually(() => expect([short.sessionCount, server.ended]).toEqual([0, 1]));
    await short.close();
  });

  it('are at most as many as allowed', async () => {
    const small = poolFor(serverConfig('test', server.port), { maxSessions: 2 });
    for (const tenant of ['a', 'b', 'c', 'd']) await small.callTool(echo({ tenant }));
    expect(small.sessionCount).toBe(2);
    await small.close();
  });
});

describe('a session that the server has lost', () => {
  it('is opened anew, and the call sent once more under the same key', async () => {
    await pool.callTool(echo());
    server.forgetSessions();
    expect(await pool.callTool(echo())).toMatchObject({ kind: 'result' });
    expect(server.handshakes).toBe(2);
    expect(server.calls.map(({ headers }) => headers['idempotency-key'])).toEqual(['key-1', 'key-1', 'key-1']);
  });

  it.each([
    'Bad Request: Server not initialized',
    'Bad Request: Mcp-Session-Id header is required',
    'Bad Request: No valid session ID provided',
  ])('as servers of the SDK say it with 400 (%s) is opened anew', async (message) => {
    await pool.callTool(echo());
    server.faults.push((response) => answerJson(response, 400, rpcError(null, -32000, message)));
    expect(await pool.callTool(echo())).toMatchObject({ kind: 'result' });
    expect(server.handshakes).toBe(2);
  });

  it.each<[string, (id: unknown) => unknown]>([
    ['a domain error that speaks of a session', () => ({ error: 'The session of the customer expired.' })],
    ['the same as a JSON-RPC error of the transport', () => rpcError(null, -32000, 'session of the customer expired')],
    [
      'the words of the SDK about this very request',
      (id) => rpcError(id, -32000, 'Bad Request: Server not initialized'),
    ],
    ['another code', () => rpcError(null, -32600, 'Bad Request: Server not initialized')],
    ['the words of the SDK in another shape', () => ({ message: 'Bad Request: No valid session ID provided' })],
    ['a text', () => 'Bad Request: No valid session ID provided'],
  ])('is not what 400 with %s says: the call is not sent again', async (_, body) => {
    await pool.callTool(echo());
    server.faults.push((response, id) => answerJson(response, 400, body(id)));
    const outcome = await pool.callTool(echo());
    expect(outcome).toMatchObject({ kind: 'http_error', status: 400 });
    expect(outcome).not.toHaveProperty('sent');
    expect(server.calls).toHaveLength(2);
    expect(server.handshakes).toBe(1);
  });

  it('does not end the one that its owner opened instead, when an older call ends', async () => {
    const small = poolFor(serverConfig('test', server.port), { maxSessions: 1 });
    const old = small.callTool(echo({ name: 'slow', arguments: { ms: 400 } }));
    await eventuallyCalled(1);
    server.forgetSessions();
    const running = small.callTool(echo({ name: 'slow', arguments: { ms: 900 } }));
    await eventuallyCalled(3);
    expect(await old).toMatchObject({ kind: 'result' });
    await small.callTool(echo({ tenant: 'tenant-2' }));
    expect(await running).toMatchObject({ kind: 'result' });
    await small.close();
  });

  it('twice in a row is told, and was certainly not executed', async () => {
    await pool.callTool(echo());
    const gone = rpcError(null, -32001, 'Session not found');
    server.faults.push(
      (response) => answerJson(response, 404, gone),
      (response) => answerJson(response, 404, gone),
    );
    expect(await pool.callTool(echo())).toMatchObject({ kind: 'http_error', status: 404, sent: false });
    expect(server.calls).toHaveLength(3);
  });
});

describe('a handshake that fails', () => {
  it('with 503 is told as not sent, and the next call tries again', async () => {
    server.handshakeFaults.push((response) =>
      answerJson(response, 503, { message: 'starting' }, { 'retry-after': '1' }),
    );
    expect(await pool.callTool(echo())).toMatchObject({
      kind: 'http_error',
      status: 503,
      retry_after: '1',
      sent: false,
    });
    expect(await pool.callTool(echo())).toMatchObject({ kind: 'result' });
  });

  it('is not one that is only slow to end: that is waited for', async () => {
    server.initializedMs = 400;
    expect(await pool.callTool(echo())).toMatchObject({ kind: 'result' });
  });

  it('by an answer without a result is told at once', async () => {
    server.handshakeFaults.push((response) => answerJson(response, 200, { jsonrpc: '2.0', id: 99_999, result: {} }));
    const from = performance.now();
    expect(await pool.callTool(echo({ timeoutMs: 20_000 }))).toMatchObject({ code: 'result_unreadable', sent: false });
    expect(performance.now() - from).toBeLessThan(10_000);
  });

  it('by hanging ends with the deadline of the call, as not sent', async () => {
    server.handshakeFaults.push(() => {});
    expect(await pool.callTool(echo({ timeoutMs: 150 }))).toEqual({ kind: 'timeout', timeout_ms: 150, sent: false });
    expect(server.calls).toHaveLength(0);
  });
});

async function eventuallyCalled(times: number): Promise<void> {
  await eventually(() => expect(server.calls.length).toBeGreaterThanOrEqual(times), { everyMs: 5 });
}

function rpcError(id: unknown, code: number, message: string): unknown {
  return { jsonrpc: '2.0', error: { code, message }, id };
}
