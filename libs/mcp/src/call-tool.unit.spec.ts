import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '@latch/testing';
import { lateness } from './lateness.features.ts';
import { type McpClientPool } from './mcp-client-pool.ts';
import { echo, poolFor, serverConfig, TestServer } from './test-server.features.ts';

jest.setTimeout(30_000);

describe.each([
  ['a stream', {}],
  ['JSON', { isJson: true }],
  ['a stream, and keeps no sessions', { isStateless: true }],
  ['JSON, and keeps no sessions', { isStateless: true, isJson: true }],
])('a server that answers with %s', (_, options) => {
  let server: TestServer;
  let pool: McpClientPool;

  beforeEach(async () => {
    server = await new TestServer(options).listen();
    pool = poolFor(serverConfig('test', server.port));
  });

  afterEach(async () => {
    await pool.close();
    await server.close();
  });

  it('gives its result as it is', async () => {
    expect(await pool.callTool(echo())).toEqual({
      kind: 'result',
      result: { content: [{ type: 'text', text: '{"value":7}' }], structuredContent: { value: 7 } },
    });
  });

  it('sees the key twice, the tenant and the trace, and no other header of ours', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await pool.callTool(echo({ traceparent }));
    const [call] = server.calls;
    expect(call?.meta).toEqual({ 'latch/idempotency-key': 'key-1', 'latch/tenant-id': 'tenant-1', traceparent });
    expect(call?.headers['idempotency-key']).toBe('key-1');
    expect(call?.headers.authorization).toBeUndefined();
  });

  it('says "kaboom" as an error of the tool', async () => {
    const outcome = await pool.callTool(echo({ name: 'fail', arguments: {} }));
    expect(outcome).toMatchObject({ kind: 'result', result: { isError: true } });
  });

  it('says that a tool is unknown in the words of the SDK', async () => {
    const outcome = await pool.callTool(echo({ name: 'nobody' }));
    expect(JSON.stringify(outcome)).toContain('-32602');
  });

  it('serves many calls at once, each with its own key', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_unused, at) =>
        pool.callTool(echo({ arguments: { value: at }, idempotencyKey: `key-${at}` })),
      ),
    );
    expect(outcomes.map((outcome) => (outcome.kind === 'result' ? outcome.result.structuredContent : outcome))).toEqual(
      Array.from({ length: 20 }, (_unused, value) => ({ value })),
    );
    expect(new Set(server.calls.map(({ headers }) => headers['idempotency-key'])).size).toBe(20);
  });
});

describe('the headers of a server', () => {
  it('are shown to it with every request, and to no other server', async () => {
    const [mine, other] = [await new TestServer().listen(), await new TestServer().listen()];
    const headers = { test: { authorization: 'Bearer t-1', 'x-api-key': 'k-1' } };
    const servers = { test: serverConfig('test', mine.port), other: serverConfig('other', other.port) };
    const both = poolFor(serverConfig('test', mine.port), { servers, headers, onToolsChanged: () => {} });
    await both.callTool(echo());
    await both.callTool(echo({ server: 'other' }));
    await eventually(() => expect(mine.streams).toHaveLength(1));
    for (const seen of [mine.calls[0]?.headers, mine.streams[0]])
      expect(seen).toMatchObject({ authorization: 'Bearer t-1', 'x-api-key': 'k-1' });
    expect(other.calls[0]?.headers).not.toHaveProperty('authorization');
    expect(other.calls[0]?.headers).not.toHaveProperty('x-api-key');
    await both.close();
    await Promise.all([mine.close(), other.close()]);
  });
});

describe('a running call', () => {
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

  it('that passes its deadline ends then, and its tool is told', async () => {
    await pool.callTool(echo());
    const call = echo({ name: 'slow', arguments: { ms: 20_000 }, timeoutMs: 200 });
    const late = await lateness(200, async () =>
      expect(await pool.callTool(call)).toEqual({ kind: 'timeout', timeout_ms: 200, sent: true }),
    );
    expect(late).toBeLessThan(100);
    await eventually(() => expect(server.cancelled).toHaveLength(server.slow));
  });

  it('to a server that is not configured is refused', async () => {
    expect(await pool.callTool(echo({ server: 'elsewhere' }))).toMatchObject({
      kind: 'refused',
      error: { code: 'tool.not_allowed' },
    });
  });
});
