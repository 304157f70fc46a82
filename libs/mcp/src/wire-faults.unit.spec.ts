import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type RawOutcome } from '@latch/contracts';
import { eventually } from '@latch/testing';
import { lateness } from './lateness.features.ts';
import { type McpClientPool } from './mcp-client-pool.ts';
import { answerJson, echo, type Fault, poolFor, serverConfig, TestServer } from './test-server.features.ts';

jest.setTimeout(30_000);

let server: TestServer;
let pool: McpClientPool;

beforeEach(async () => {
  server = await new TestServer().listen();
  pool = poolFor(serverConfig('test', server.port));
  await pool.callTool(echo());
});

afterEach(async () => {
  await pool.close();
  await server.close();
});

const deadlineMs = 20_000;
/** What does not wait for the deadline ends long before it, on the busiest machine too. */
const longBeforeMs = deadlineMs / 2;

async function callInto(fault: Fault, timeoutMs = deadlineMs): Promise<{ outcome: RawOutcome; ms: number }> {
  server.faults.push(fault);
  const from = performance.now();
  const outcome = await pool.callTool(echo({ timeoutMs }));
  return { outcome, ms: performance.now() - from };
}

const sse = { 'content-type': 'text/event-stream' };

describe('a server that does not answer in time', () => {
  it.each<[string, Fault]>([
    ['hangs before the headers', () => {}],
    ['hangs after the headers of a stream', (response) => void response.writeHead(200, sse).flushHeaders()],
    ['drips comments for ever', (response) => drip(response.writeHead(200, sse), ': still there\n\n')],
    [
      'drips the bytes of a JSON answer',
      (response) => drip(response.writeHead(200, { 'content-type': 'application/json' }), ' '),
    ],
  ])('and %s: ended within the deadline + 100 ms, the socket closed', async (_, fault) => {
    let open = 0;
    const late = await lateness(250, async () => {
      const { outcome } = await callInto((response, id, request) => {
        open += 1;
        request.socket.on('close', () => (open -= 1));
        fault(response, id, request);
      }, 250);
      expect(outcome).toEqual({ kind: 'timeout', timeout_ms: 250, sent: true });
    });
    expect(late).toBeLessThan(100);
    await eventually(() => expect(open).toBe(0));
  });

  it('in the middle of its answer is given up after the idle time', async () => {
    await pool.close();
    pool = poolFor(serverConfig('test', server.port), { idleTimeoutMs: 300 });
    const { outcome, ms } = await callInto((response) => void response.writeHead(200, sse).write(': begun\n\n'));
    expect(outcome).toMatchObject({ kind: 'transport_error', code: 'idle_timeout', sent: true });
    expect(ms).toBeLessThan(longBeforeMs);
  });

  function drip(
    response: { write(text: string): unknown; on(event: 'close', listener: () => void): unknown },
    text: string,
  ): void {
    const timer = setInterval(() => response.write(text), 20);
    response.on('close', () => clearInterval(timer));
  }
});

describe('a server that breaks the connection', () => {
  it('before any answer: lost, and the request may have arrived', async () => {
    const { outcome } = await callInto((response) => void response.socket?.destroy());
    expect(outcome).toMatchObject({ kind: 'transport_error', sent: true });
  });

  it('with a reset: lost', async () => {
    const { outcome } = await callInto((response) => void response.socket?.resetAndDestroy());
    expect(outcome).toMatchObject({ kind: 'transport_error', code: 'ECONNRESET', sent: true });
  });

  it('half-way through a stream: told at once, not at the deadline', async () => {
    const { outcome, ms } = await callInto((response) => {
      response.writeHead(200, sse).write('event: message\ndata: {"jsonrpc":"2.0","id":');
      setTimeout(() => response.socket?.destroy(), 20);
    });
    expect(outcome).toMatchObject({ kind: 'transport_error', sent: true });
    expect(ms).toBeLessThan(longBeforeMs);
  });

  it('by ending the stream in good order without a result: told at once', async () => {
    const { outcome, ms } = await callInto((response) => void response.writeHead(200, sse).end(': bye\n\n'));
    expect(outcome).toMatchObject({ kind: 'transport_error', code: 'stream_ended', sent: true });
    expect(ms).toBeLessThan(longBeforeMs);
  });
});

describe('a server that refuses with HTTP', () => {
  it.each([500, 502, 503, 504, 429, 401, 403, 413])('%i comes back with its body', async (status) => {
    const { outcome } = await callInto((response) => answerJson(response, status, { message: 'no' }));
    expect(outcome).toEqual({ kind: 'http_error', status, body: '{"message":"no"}', retry_after: null });
  });

  it('429 comes back with its Retry-After', async () => {
    const { outcome } = await callInto((response) => answerJson(response, 429, {}, { 'retry-after': '7' }));
    expect(outcome).toMatchObject({ kind: 'http_error', status: 429, retry_after: '7' });
  });

  it('a redirect is an answer and is not followed', async () => {
    const { outcome } = await callInto((response) => void response.writeHead(307, { location: '/mcp' }).end());
    expect(outcome).toMatchObject({ kind: 'http_error', status: 307 });
    expect(server.calls).toHaveLength(2);
  });

  it('an error page of 10 MB is cut', async () => {
    const { outcome } = await callInto(
      (response) => void response.writeHead(500, { 'content-type': 'text/html' }).end('x'.repeat(10e6)),
    );
    expect(outcome).toMatchObject({ kind: 'http_error', status: 500 });
    expect(outcome.kind === 'http_error' ? outcome.body.length : 0).toBeLessThanOrEqual(64 * 1024);
  });
});

describe('an answer that is none', () => {
  it.each<[string, Fault]>([
    [
      'text under the name of JSON',
      (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('<html>'),
    ],
    ['HTML', (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>')],
    ['JSON that is no JSON-RPC', (response) => answerJson(response, 200, { hello: 1 })],
    ['a result for another id', (response) => answerJson(response, 200, { jsonrpc: '2.0', id: 99_999, result: {} })],
    [
      'content that is no list',
      (response, id) => answerJson(response, 200, { jsonrpc: '2.0', id, result: { content: 'x' } }),
    ],
    ['nothing', (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end()],
  ])('%s: unreadable, and the call may have had its effect', async (_, fault) => {
    const { outcome, ms } = await callInto(fault);
    expect(outcome).toMatchObject({ kind: 'transport_error', code: 'result_unreadable', sent: true });
    expect(ms).toBeLessThan(longBeforeMs);
  });

  it('a JSON-RPC error is told with code, message and data', async () => {
    const error = { code: -32602, message: 'invalid params', data: { field: 'order_id' } };
    const { outcome } = await callInto((response, id) => answerJson(response, 200, { jsonrpc: '2.0', id, error }));
    expect(outcome).toEqual({ kind: 'protocol_error', ...error });
  });

  it('an odd but readable result is left to its reader', async () => {
    const result = { content: [{ type: 'hologram' }], isError: 'maybe', structuredContent: [1], extra: true };
    const { outcome } = await callInto((response, id) => answerJson(response, 200, { jsonrpc: '2.0', id, result }));
    expect(outcome).toEqual({ kind: 'result', result });
  });

  it.each([
    ['announced', true],
    ['not announced', false],
  ])('50 MB (%s) is refused by name, and is not read', async (_, isAnnounced) => {
    const before = process.memoryUsage().rss;
    const { outcome } = await callInto((response) => {
      const headers = { 'content-type': 'application/json', ...(isAnnounced ? { 'content-length': '50000000' } : {}) };
      response.writeHead(200, headers);
      response.on('error', () => {});
      for (let at = 0; at < 50; at += 1) response.write('x'.repeat(1_000_000));
    });
    expect(outcome).toMatchObject({ kind: 'transport_error', code: 'result_too_large', sent: true });
    expect(process.memoryUsage().rss - before).toBeLessThan(200e6);
  });

  it.each([
    ['structured content', (deep: string) => `{"result":{"content":[],"structuredContent":{"a":${deep}}}`],
    ['an error that says so', (deep: string) => `{"result":{"content":[],"isError":true,"_meta":{"a":${deep}}}`],
    ['the data of a JSON-RPC error', (deep: string) => `{"error":{"code":-32000,"message":"no","data":${deep}}`],
  ])('10,000 levels deep in %s is refused by name, and goes no further', async (_, frame) => {
    const { outcome } = await callInto((response, id) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`${frame('['.repeat(10_000) + ']'.repeat(10_000))},"jsonrpc":"2.0","id":${id}}`);
    });
    expect(outcome).toMatchObject({ kind: 'transport_error', code: 'result_unreadable', sent: true });
  });

  it('of exactly the limit is read', async () => {
    const { outcome } = await callInto((response, id) => {
      const frame = JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: '' }] } });
      const text = 'x'.repeat(1024 * 1024 - frame.length);
      answerJson(response, 200, { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });
    });
    expect(outcome.kind).toBe('result');
  });
});

describe('a server that is not there', () => {
  it('refuses the connection: certainly not sent', async () => {
    const { port } = server;
    await pool.close();
    await server.close();
    pool = poolFor(serverConfig('test', port));
    expect(await pool.callTool(echo())).toMatchObject({ kind: 'transport_error', code: 'ECONNREFUSED', sent: false });
    server = await new TestServer().listen(port);
    expect(await pool.callTool(echo())).toMatchObject({ kind: 'result' });
  });

  it('goes away between two calls and comes back: the session is opened anew', async () => {
    const { port } = server;
    await server.close();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await pool.callTool(echo())).toMatchObject({ kind: 'transport_error', sent: false });
    server = await new TestServer().listen(port);
    expect(await pool.callTool(echo())).toMatchObject({ kind: 'result' });
  });

  it('accepts nobody: the connection times out, certainly not sent', async () => {
    // TEST-NET-1 (RFC 5737) leads nowhere.
    const nowhere = poolFor({ ...serverConfig('test', 9), url: 'http://192.0.2.1:9/mcp', connectTimeoutMs: 150 });
    const outcome = await nowhere.callTool(echo());
    expect(outcome).toMatchObject({ kind: 'transport_error', sent: false });
    await nowhere.close();
  });

  it('speaks no HTTP: no result, and the handshake is no call', async () => {
    const gibberish = createServer((socket) => socket.on('error', () => {}).end('SSH-2.0-OpenSSH_9\r\n'));
    await new Promise<void>((resolve) => gibberish.listen(0, '127.0.0.1', resolve));
    const address = gibberish.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const other = poolFor(serverConfig('test', port));
    expect(await other.callTool(echo())).toMatchObject({ kind: 'transport_error', sent: false });
    await other.close();
    gibberish.close();
  });

  it.each(['169.254.169.254', '[fe80::1]', '0.0.0.0', '[::ffff:169.254.169.254]'])(
    '%s is no address of an MCP server',
    async (host) => {
      const other = poolFor({ ...serverConfig('test', 80), url: `http://${host}/mcp` });
      expect(await other.callTool(echo())).toMatchObject({ code: 'origin_not_allowed', sent: false });
      await other.close();
    },
  );
});
