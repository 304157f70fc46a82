import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '@latch/testing';
import { lateness } from './lateness.features.ts';
import { type CallProgress } from './mcp-call.ts';
import { type McpClientPool } from './mcp-client-pool.ts';
import { answerJson, echo, type Fault, poolFor, question, serverConfig, TestServer } from './test-server.features.ts';

jest.setTimeout(30_000);

let server: TestServer;
let pool: McpClientPool;
let changed: string[];

beforeEach(async () => {
  server = await new TestServer().listen();
  changed = [];
  pool = poolFor(serverConfig('test', server.port), {
    onToolsChanged: (name) => void changed.push(name),
  });
});

afterEach(async () => {
  await pool.close();
  await server.close();
});

function answer(result: unknown): Fault {
  return (response, id) => answerJson(response, 200, { jsonrpc: '2.0', id, result });
}

describe('progress', () => {
  it('is handed on as it grows', async () => {
    const seen: CallProgress[] = [];
    await pool.callTool(echo({ name: 'steps', arguments: {}, onProgress: (progress) => seen.push(progress) }));
    expect(seen).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3, message: `step ${progress}` })));
  });

  it('is not asked for where nobody wants it', async () => {
    await pool.callTool(echo());
    expect(server.calls[0]?.meta).not.toHaveProperty('progressToken');
  });

  it('keeps a slow answer from being given up as silent, and never moves the deadline', async () => {
    const patient = poolFor(serverConfig('test', server.port), { idleTimeoutMs: 1_200 });
    const steps = { name: 'steps', arguments: { ms: 400 }, onProgress: () => {} };
    expect(await patient.callTool(echo({ ...steps, timeoutMs: 20_000 }))).toMatchObject({ kind: 'result' });
    const inTime = async (): Promise<void> =>
      expect(await patient.callTool(echo({ ...steps, timeoutMs: 900 }))).toMatchObject({ kind: 'timeout' });
    expect(await lateness(900, inTime)).toBeLessThan(100);
    await patient.close();
  });

  it('that floods is thinned out', async () => {
    server.faults.push((response, id, _request) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (let progress = 1; progress <= 500; progress += 1) {
        const params = { progressToken: server.progressToken, progress, total: 9_999 };
        response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params })}\n\n`);
      }
      response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } })}\n\n`);
    });
    let told = 0;
    const from = performance.now();
    expect(await pool.callTool(echo({ timeoutMs: 20_000, onProgress: () => void (told += 1) }))).toMatchObject({
      kind: 'result',
    });
    expect(told).toBeGreaterThanOrEqual(1);
    // One in 100 ms, the first, and the one that comes to its total.
    expect(told).toBeLessThanOrEqual(2 + (performance.now() - from) / 100);
  });
});

describe('a call that is given up by its caller', () => {
  it('ends at once as given up, and its tool is told', async () => {
    const giveUp = new AbortController();
    const running = pool.callTool(
      echo({ name: 'slow', arguments: { ms: 20_000 }, timeoutMs: 20_000, signal: giveUp.signal }),
    );
    await eventually(() => expect(server.slow).toBe(1));
    const from = performance.now();
    giveUp.abort();
    expect(await running).toMatchObject({ kind: 'transport_error', code: 'aborted', sent: true });
    expect(performance.now() - from).toBeLessThan(10_000);
    await eventually(() => expect(server.cancelled).toHaveLength(1));
  });

  it('before it began is not sent', async () => {
    expect(await pool.callTool(echo({ signal: AbortSignal.abort() }))).toMatchObject({ code: 'aborted', sent: false });
    expect(server.calls).toHaveLength(0);
  });
});

describe('a tool that asks', () => {
  const ask = (then: string) => echo({ name: 'ask', arguments: { then } });

  it('is told "cancel"; when it fails for that, input is required and nothing was done', async () => {
    expect(await pool.callTool(ask('fail'))).toEqual({ kind: 'input_required', ...question });
  });

  it('and goes on all the same may have done anything: its result is kept', async () => {
    expect(await pool.callTool(ask('go on'))).toEqual({
      ...{ kind: 'input_required', ...question },
      result: { content: [{ type: 'text', text: 'did it all the same: cancel' }] },
    });
  });

  it('asks in its own call only: another one that runs beside it is read as it is', async () => {
    const other = pool.callTool(echo({ name: 'slow', arguments: { ms: 500 } }));
    expect(await pool.callTool(ask('fail'))).toMatchObject({ kind: 'input_required' });
    expect(await other).toMatchObject({ kind: 'result' });
  });

  it('by its result (MCP 2026-07-28) needs input too; what is no form has no parameters', async () => {
    const inputRequests = {
      a: { method: 'elicitation/create', params: { mode: 'form', ...question } },
      b: {
        method: 'elicitation/create',
        params: { message: 'And when?', requestedSchema: { properties: { when: {} } } },
      },
      c: { method: 'elicitation/create', params: { mode: 'url', url: 'https://elsewhere', message: 'Log in' } },
    };
    server.faults.push(answer({ resultType: 'input_required', inputRequests }));
    expect(await pool.callTool(echo())).toEqual({
      ...{ kind: 'input_required', message: 'Why? And when?' },
      requestedSchema: { type: 'object', properties: { reason: { type: 'string' }, when: {} } },
    });
    server.faults.push(answer({ resultType: 'input_required' }));
    expect(await pool.callTool(echo())).toMatchObject({ kind: 'input_required', requestedSchema: { properties: {} } });
  });

  it('a page to open is refused by the protocol: the capability is declared for forms only', async () => {
    await pool.callTool(echo());
    expect(server.capabilities).toEqual({ elicitation: { form: {} } });
  });
});

describe('an answer whose stream ends before it came', () => {
  const sse = { 'content-type': 'text/event-stream' };
  const breakOff: Fault = (response, id) => {
    asked = id;
    response.writeHead(200, sse).end('id: 41\nretry: 50\ndata: \n\n');
  };
  let asked: unknown;
  const rest: Fault = (response) => {
    const result = { jsonrpc: '2.0', id: asked, result: { content: [], structuredContent: { late: true } } };
    response.writeHead(200, sse).end(`id: 42\ndata: ${JSON.stringify(result)}\n\n`);
  };

  beforeEach(async () => {
    await pool.close();
    pool = poolFor(serverConfig('test', server.port));
  });

  it('is asked for from where it broke off, where the server named the place', async () => {
    server.faults.push(breakOff);
    server.streamFaults.push(rest);
    expect(await pool.callTool(echo())).toMatchObject({
      kind: 'result',
      result: { structuredContent: { late: true } },
    });
    expect(server.streams[0]?.['last-event-id']).toBe('41');
    expect(server.calls).toHaveLength(1);
  });

  it('is lost when the server does not go on: told at once, and the call is not sent again', async () => {
    server.faults.push(breakOff);
    server.streamFaults.push((response) => answerJson(response, 404, {}));
    const from = performance.now();
    expect(await pool.callTool(echo({ timeoutMs: 20_000 }))).toMatchObject({
      ...{ kind: 'transport_error', code: 'stream_ended', sent: true },
    });
    expect(performance.now() - from).toBeLessThan(10_000);
    expect(server.calls).toHaveLength(1);
  });

  it('ends with its deadline, however often the server breaks off, and is not asked for in a hot loop', async () => {
    const again: Fault = (response) => void response.writeHead(200, sse).end('id: 43\nretry: 0\ndata: \n\n');
    server.faults.push((response) => void response.writeHead(200, sse).end('id: 41\nretry: 0\ndata: \n\n'));
    server.streamFaults.push(...Array.from({ length: 100 }, () => again));
    expect(await pool.callTool(echo({ timeoutMs: 700 }))).toEqual({ kind: 'timeout', timeout_ms: 700, sent: true });
    expect(server.streams.length).toBeLessThan(10);
  });
});

describe('tools that change while a session is open', () => {
  it('are told of by the one session of the server that listens', async () => {
    await pool.callTool(echo());
    await pool.callTool(echo({ tenant: 'tenant-2' }));
    await eventually(() => expect(server.streams).toHaveLength(1));
    await server.changeTools();
    await eventually(() => expect(changed).toEqual(['test']));
    expect(server.streams).toHaveLength(1);
  });

  it('are told of by the next session when the one that listened has ended', async () => {
    await pool.callTool(echo());
    server.forgetSessions();
    await pool.callTool(echo());
    await eventually(async () => {
      await pool.callTool(echo({ tenant: 'tenant-2' }));
      await server.changeTools();
      expect(changed.length).toBeGreaterThanOrEqual(1);
    });
  });

  it("are nobody's business where nobody wants to know: no stream is opened", async () => {
    const deaf = poolFor(serverConfig('test', server.port));
    await deaf.callTool(echo());
    await sleep(50);
    expect(server.streams).toHaveLength(0);
    await deaf.close();
  });
});
