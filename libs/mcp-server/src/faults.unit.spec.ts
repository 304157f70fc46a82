import { describe, expect, it } from '@jest/globals';
import { call, callsOf, connect, errorIn, post, startCounter } from './counter-domain.features.ts';
import { type Fault } from './faults.ts';

async function startWith(
  fault: Partial<Fault> & Pick<Fault, 'kind'>,
): Promise<Awaited<ReturnType<typeof startCounter>>> {
  const started = await startCounter();
  expect((await post(`${started.url}/faults`, { tool: 'add', ...fault })).status).toBe(201);
  return started;
}

describe('a fault in front of the tool', () => {
  it.each(['unavailable', 'drop_connection', 'junk'] as const)(
    '%s: the call fails, nothing happens, the next call is fine',
    async (kind) => {
      const { url, counter } = await startWith({ kind });
      const client = await connect(url);
      await expect(call(client, 'add', { args: { by: 1 }, key: 'k1' })).rejects.toThrow();
      expect(counter.value).toBe(0);
      expect((await callsOf(url)).calls).toMatchObject([
        { tool: 'add', key: 'k1', effects: 0, outcome: 'not_run', fault: kind },
      ]);
      await call(client, 'add', { args: { by: 1 }, key: 'k1' });
      expect(counter.value).toBe(1);
    },
  );

  it('unavailable: is HTTP 503 and says when to come back, where it is told to', async () => {
    const { url } = await startWith({ kind: 'unavailable', retryAfterSeconds: 2 });
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'add', arguments: {} } };
    const client = await connect(url);
    const transport = client.transport;
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'mcp-session-id': transport?.sessionId ?? '' },
      body: JSON.stringify(body),
    });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
  });

  it('oversized: is a valid answer of 8 MiB', async () => {
    const { url } = await startWith({ kind: 'oversized' });
    const result = await call(await connect(url), 'add', { args: { by: 1 } });
    const [first] = result.content;
    expect(first?.type === 'text' && first.text.length).toBe(8_388_608);
  });
});

describe('a fault of the tool', () => {
  it.each([
    ['error_transient', 'transient', true],
    ['error_business', 'business', false],
    ['error_permission', 'permission', false],
    ['error_validation', 'validation', false],
  ] as const)('%s: answers isError with that category and has no effect', async (kind, errorCategory, isRetryable) => {
    const { url, counter } = await startWith({ kind });
    expect(errorIn(await call(await connect(url), 'add', { args: { by: 1 } }))).toMatchObject({
      errorCategory,
      isRetryable,
    });
    expect(counter.value).toBe(0);
  });

  it('error_text: answers with a sentence that says nothing', async () => {
    const { url } = await startWith({ kind: 'error_text' });
    const result = await call(await connect(url), 'add', { args: { by: 1 } });
    expect(result).toMatchObject({ isError: true, content: [{ type: 'text', text: 'Operation failed' }] });
  });

  it('timeout: gives no answer in time and has no effect', async () => {
    const { url, counter } = await startWith({ kind: 'timeout' });
    await expect(call(await connect(url), 'add', { args: { by: 1 }, timeoutMs: 100 })).rejects.toThrow(/timed out/);
    expect(counter.value).toBe(0);
  });

  it('timeout_after_commit: gives no answer in time although the effect happened; the same key gets the first answer', async () => {
    const { url, counter } = await startWith({ kind: 'timeout_after_commit' });
    const client = await connect(url);
    await expect(call(client, 'add', { args: { by: 1 }, key: 'k1', timeoutMs: 200 })).rejects.toThrow(/timed out/);
    expect(counter.value).toBe(1);
    expect((await call(client, 'add', { args: { by: 1 }, key: 'k1' })).structuredContent).toMatchObject({ total: 1 });
    expect((await callsOf(url)).effects).toBe(1);
  });

  it('timeout_after_commit with a short delay: the answer comes late, and comes', async () => {
    const { url } = await startWith({ kind: 'timeout_after_commit', delayMs: 50 });
    expect((await call(await connect(url), 'add', { args: { by: 1 } })).structuredContent).toMatchObject({ total: 1 });
  });

  it('drop_after_commit: cuts the connection although the effect happened', async () => {
    const { url, counter } = await startWith({ kind: 'drop_after_commit' });
    const client = await connect(url);
    await expect(call(client, 'add', { args: { by: 1 }, key: 'k1' })).rejects.toThrow();
    expect(counter.value).toBe(1);
    expect((await call(client, 'what_became', { key: 'k1' })).structuredContent).toMatchObject({
      found: true,
      total: 1,
    });
  });

  it('partial: processes the first item only', async () => {
    const { url, counter } = await startWith({ kind: 'partial' });
    const result = await call(await connect(url), 'add', { args: { by: 1, items: ['a', 'b', 'c'] } });
    expect(result.structuredContent).toMatchObject({
      results: [{ success: true }, { success: false }, { success: false }],
    });
    expect(counter.value).toBe(1);
  });

  it('hits as many calls as it is told to, of its tool only', async () => {
    const { url } = await startWith({ kind: 'error_business', times: 2 });
    const client = await connect(url);
    const outcomes = [];
    for (const tool of ['read', 'add', 'add', 'add'])
      outcomes.push((await call(client, tool, { args: { by: 1 } })).isError ?? false);
    expect(outcomes).toEqual([false, true, true, false]);
  });

  it('hits any tool under the name *', async () => {
    const { url } = await startWith({ kind: 'error_permission', tool: '*' });
    expect((await call(await connect(url), 'read')).isError).toBe(true);
  });
});
