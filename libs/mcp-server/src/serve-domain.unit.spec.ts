import { describe, expect, it } from '@jest/globals';
import { request as httpRequest } from 'node:http';
import { errorOf } from './connect-to-domain.ts';
import { call, callsOf, connect, post, startCounter } from './counter-domain.features.ts';

describe.each(['json', 'stream'] as const)('a domain server that answers as %s', (answerAs) => {
  it('lists its tools with their schemas and hints', async () => {
    const { url } = await startCounter({ answerAs });
    const { tools } = await (await connect(url)).listTools();
    expect(tools.map(({ name }) => name)).toEqual(['add', 'read', 'what_became']);
    expect(tools[0]).toMatchObject({
      inputSchema: { required: ['by'] },
      annotations: { readOnlyHint: false, destructiveHint: true },
    });
    expect(tools[1]).toMatchObject({ outputSchema: { required: ['total'] }, annotations: { readOnlyHint: true } });
  });

  it('answers with structured content and the same as JSON text', async () => {
    const { url } = await startCounter({ answerAs });
    const result = await call(await connect(url), 'add', { args: { by: 2 } });
    expect(result.structuredContent).toEqual({ total: 2, results: [{ id: 'one', success: true }] });
    expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(result.structuredContent) }]);
  });

  it('answers a refusal as isError with the StructuredError as JSON text', async () => {
    const { url } = await startCounter({ answerAs });
    const result = await call(await connect(url), 'add', { args: { by: -1 } });
    expect(errorOf(result)).toEqual({ errorCategory: 'business', isRetryable: false, message: 'Only upwards.' });
  });

  it('refuses arguments that break the schema without running the tool', async () => {
    const { url, counter } = await startCounter({ answerAs });
    expect(await call(await connect(url), 'add', { args: { by: 'two' } })).toMatchObject({ isError: true });
    expect(counter.value).toBe(0);
  });

  it('serves many sessions at a time', async () => {
    const { url, counter } = await startCounter({ answerAs });
    const clients = await Promise.all(Array.from({ length: 8 }, async () => await connect(url)));
    await Promise.all(clients.map(async (client) => await call(client, 'add', { args: { by: 1 } })));
    expect(counter.value).toBe(8);
  });
});

describe('a call under an idempotency key', () => {
  it('has its effect once, and the first answer is repeated', async () => {
    const { url, counter } = await startCounter();
    const client = await connect(url);
    const first = await call(client, 'add', { args: { by: 2 }, key: 'k1' });
    const second = await call(client, 'add', { args: { by: 2 }, key: 'k1' });
    expect(second).toEqual(first);
    expect(counter.value).toBe(2);
    expect((await callsOf(url)).calls).toMatchObject([
      { key: 'k1', effects: 1, outcome: 'answered' },
      { key: 'k1', effects: 0, outcome: 'repeated' },
    ]);
  });

  it('has its effect once when it comes in twice at the same moment', async () => {
    const { url, counter } = await startCounter();
    const clients = [await connect(url), await connect(url)];
    await Promise.all(clients.map(async (client) => await call(client, 'add', { args: { by: 2 }, key: 'k1' })));
    expect(counter.value).toBe(2);
  });

  it('is a conflict with other arguments, and has no effect', async () => {
    const { url, counter } = await startCounter();
    const client = await connect(url);
    await call(client, 'add', { args: { by: 2 }, key: 'k1' });
    const other = await call(client, 'add', { args: { by: 3 }, key: 'k1' });
    expect(errorOf(other)).toMatchObject({ errorCategory: 'validation', isRetryable: false });
    expect(counter.value).toBe(2);
    expect((await callsOf(url)).calls[1]).toMatchObject({ outcome: 'conflict', effects: 0 });
  });

  it('takes the key from the header where there is none in _meta', async () => {
    const { url } = await startCounter();
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
    const opened = await fetch(`${url}/mcp`, {
      ...{ method: 'POST', headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize }),
    });
    const session = {
      ...headers,
      'mcp-session-id': opened.headers.get('mcp-session-id') ?? '',
      'idempotency-key': 'from-header',
    };
    const params = { name: 'add', arguments: { by: 1 } };
    await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: session,
      body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params }),
    });
    expect((await callsOf(url, '?key=from-header')).calls).toHaveLength(1);
  });

  it('may be tried again after a refusal, which had no effect', async () => {
    const { url } = await startCounter({ faults: [{ tool: 'add', kind: 'error_transient', times: 1 }] });
    const client = await connect(url);
    expect((await call(client, 'add', { args: { by: 2 }, key: 'k1' })).isError).toBe(true);
    expect((await call(client, 'add', { args: { by: 2 }, key: 'k1' })).structuredContent).toMatchObject({ total: 2 });
    expect((await callsOf(url)).effects).toBe(1);
  });

  it('can be asked about afterwards', async () => {
    const { url } = await startCounter();
    const client = await connect(url);
    await call(client, 'add', { args: { by: 2 }, key: 'k1' });
    const known = await call(client, 'what_became', { args: { by: 2 }, key: 'k1' });
    expect(known.structuredContent).toEqual({
      total: 2,
      results: [{ id: 'one', success: true }],
      found: true,
      tool_name: 'add',
    });
    const unknown = await call(client, 'what_became', { args: { idempotency_key: 'k2' } });
    expect(unknown.structuredContent).toMatchObject({ results: [], count: 0, note: expect.any(String) });
    expect(errorOf(await call(client, 'what_became'))).toMatchObject({
      errorCategory: 'validation',
      parameter: 'idempotency_key',
    });
  });
});

describe('the control routes', () => {
  it('tell health, sessions and calls, and reset all of it', async () => {
    const { url, counter } = await startCounter();
    const client = await connect(url);
    await call(client, 'add', { args: { by: 1 }, key: 'k1' });
    expect(await (await fetch(`${url}/health`)).json()).toEqual({
      status: 'ok',
      name: 'counter',
      version: '1.0.0',
      sessions: 1,
    });
    expect(await callsOf(url, '?tool=read')).toMatchObject({ calls: [], effects: 0, totalEffects: 1 });
    expect((await post(`${url}/reset`)).status).toBe(204);
    expect(await callsOf(url)).toEqual({ calls: [], effects: 0, totalEffects: 0, dropped: 0 });
    expect(counter.value).toBe(0);
    await call(client, 'add', { args: { by: 5 }, key: 'k1' });
    expect(counter.value).toBe(5);
  });

  it('refuse a fault that does not exist, with its path', async () => {
    const { url } = await startCounter();
    const refused = await post(`${url}/faults`, { tool: 'add', kind: 'earthquake' });
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ errors: [{ path: '$.kind' }] });
  });

  it('hold at most 100 faults, and drop them on request', async () => {
    const { url } = await startCounter();
    const posts = Array.from(
      { length: 101 },
      async () => (await post(`${url}/faults`, { tool: 'add', kind: 'partial' })).status,
    );
    const codes = await Promise.all(posts);
    expect(codes.filter((code) => code === 409)).toHaveLength(1);
    await fetch(`${url}/faults`, { method: 'DELETE' });
    expect(await (await fetch(`${url}/faults`)).json()).toEqual({ faults: [] });
  });
});

describe('a request that must not get through', () => {
  it('is refused when it is addressed to another host name (DNS rebinding)', async () => {
    const { url } = await startCounter();
    expect(await statusFor(url, { host: 'evil.example' })).toBe(403);
    expect(await statusFor(url, { host: 'localhost' })).toBe(200);
  });

  it('is refused when it comes from a page of another origin', async () => {
    const { url } = await startCounter();
    expect(await statusFor(url, { origin: 'https://evil.example' })).toBe(403);
    expect(await statusFor(url, { origin: 'http://localhost:3000' })).toBe(200);
  });

  it('reaches a host name that the operator allows', async () => {
    const { url } = await startCounter({ allowedHosts: ['mcp-telecom'] });
    expect(await statusFor(url, { host: 'mcp-telecom:9101' })).toBe(200);
  });

  it('is refused without a session, and with one that is gone, so that the client initializes again', async () => {
    const { url } = await startCounter();
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const send = async (more: Record<string, string>): Promise<number> =>
      (await fetch(`${url}/mcp`, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) }))
        .status;
    expect(await send({})).toBe(400);
    expect(await send({ 'mcp-session-id': 'gone' })).toBe(404);
  });

  it('is refused when it is no JSON or too large', async () => {
    const { url } = await startCounter();
    const send = async (body: string): Promise<number> =>
      (await fetch(`${url}/mcp`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).status;
    expect(await send('{')).toBe(400);
    expect(await send(JSON.stringify({ a: 'x'.repeat(1_100_000) }))).toBe(413);
  });
});

describe('a server that stops', () => {
  it('stops soon although sessions and a hanging call are open', async () => {
    const { url, stop } = await startCounter({
      faults: [{ tool: 'add', kind: 'timeout', times: 1 }],
      answerAs: 'stream',
    });
    const client = await connect(url);
    const hanging = call(client, 'add', { args: { by: 1 } }).catch(() => 'failed');
    await new Promise((resolve) => setTimeout(resolve, 100));
    const before = Date.now();
    await stop();
    // It would wait for the call for ever.
    expect(Date.now() - before).toBeLessThan(15_000);
    await client.close();
    expect(await hanging).toBeDefined();
  });

  it('says so when its port is taken', async () => {
    const { url } = await startCounter();
    await expect(startCounter({ port: Number(new URL(url).port) })).rejects.toThrow(/EADDRINUSE/);
  });
});

/** `fetch` does not let a test choose the Host header. */
async function statusFor(url: string, headers: Record<string, string>): Promise<number> {
  return await new Promise((resolve, reject) => {
    httpRequest(`${url}/health`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}
