import { readFile } from 'node:fs/promises';
import { type Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from '@jest/globals';
import { call, callsOf, connect, post, startCounter } from './counter-domain.features.ts';
import { errorOf } from './connect-to-domain.ts';
import { type Fault, faultKinds } from './faults.ts';

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

describe('a fault on the wire', () => {
  const asked = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'add', arguments: { by: 1 } } };

  async function answerOf(url: string, body: unknown = asked): Promise<Response> {
    const session = (await connect(url)).transport?.sessionId ?? '';
    const headers = {
      'content-type': 'application/json',
      ...{ accept: 'application/json, text/event-stream', 'mcp-session-id': session },
    };
    return await fetch(`${url}/mcp`, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  it.each([
    ['http_500', 500],
    ['http_502', 502],
    ['http_429', 429],
    ['unavailable', 503],
  ] as const)('%s: is HTTP %i, with Retry-After where it is told so', async (kind, status) => {
    const { url, counter } = await startWith({ kind, retryAfterSeconds: 3 });
    const response = await answerOf(url);
    expect([response.status, response.headers.get('retry-after'), counter.value]).toEqual([status, '3', 0]);
  });

  it.each([
    ['wrong_id', { id: 'another' }],
    ['rpc_error', { id: 7, error: { code: -32_603 } }],
    ['output_mismatch', { id: 7, result: { structuredContent: { total: 'many' } } }],
    ['input_required', { id: 7, result: { resultType: 'input_required', inputRequests: { motivo: {} } } }],
  ] as const)('%s: is a message that says it', async (kind, message) => {
    const { url, counter } = await startWith({ kind });
    expect(await (await answerOf(url)).json()).toMatchObject(message);
    expect(counter.value).toBe(0);
  });

  it('hang, drip, drip_stream: the answer never ends', async () => {
    for (const kind of ['hang', 'drip', 'drip_stream'] as const) {
      const { url } = await startWith({ kind });
      const client = await connect(url);
      await expect(call(client, 'add', { args: { by: 1 }, timeoutMs: 150 })).rejects.toThrow(/timed out/);
    }
  });

  it('cut_stream: breaks in the middle of the answer, end_stream: ends without one', async () => {
    const cut = await startWith({ kind: 'cut_stream' });
    await expect((await answerOf(cut.url)).text()).rejects.toThrow();
    const ended = await startWith({ kind: 'end_stream' });
    expect(await (await answerOf(ended.url)).text()).toBe(': nothing more to say\n\n');
  });

  it('many_results and deep: are valid, and hostile to their reader', async () => {
    const many = await startWith({ kind: 'many_results' });
    const text = await (await answerOf(many.url)).text();
    expect(text.match(/"success":true/g)).toHaveLength(1_000_000);
    const deep = await startWith({ kind: 'deep' });
    expect((await (await answerOf(deep.url)).text()).match(/\{"a":/g)).toHaveLength(10_000);
  });

  it('oversized: has as many bytes as it is told to', async () => {
    const { url } = await startWith({ kind: 'oversized', bytes: 70_000 });
    expect(await (await answerOf(url)).json()).toMatchObject({
      result: { content: [{ text: expect.stringMatching(/^x{70000}$/) }] },
    });
  });

  it('with afterCommit: the effect happened, and the key has its first answer', async () => {
    const { url, counter } = await startWith({ kind: 'http_502', afterCommit: true });
    const client = await connect(url);
    await expect(call(client, 'add', { args: { by: 1 }, key: 'k1' })).rejects.toThrow();
    expect(counter.value).toBe(1);
    expect((await call(client, 'add', { args: { by: 1 }, key: 'k1' })).structuredContent).toMatchObject({ total: 1 });
    expect((await callsOf(url)).calls).toMatchObject([
      { key: 'k1', effects: 1, outcome: 'answered', fault: 'http_502' },
      { key: 'k1', effects: 0, outcome: 'repeated' },
    ]);
  });

  it('with afterCommit and arguments that do not fit: nothing happens', async () => {
    const { url, counter } = await startWith({ kind: 'junk', afterCommit: true });
    const params = { name: 'add', arguments: { by: 'x' } };
    await answerOf(url, { ...asked, params });
    expect(counter.value).toBe(0);
  });
});

describe('a fault of the answer', () => {
  it.each([
    ['results_duplicated', [{ id: 'a' }, { id: 'b' }, { id: 'a' }]],
    ['results_missing', [{ id: 'a' }]],
    ['results_extra', [{ id: 'a' }, { id: 'b' }, { id: 'not-asked-for' }]],
    ['results_reordered', [{ id: 'b' }, { id: 'a' }]],
    ['results_text_booleans', [{ success: 'true' }, { success: 'true' }]],
    [
      'results_contradict',
      [
        { success: true, ok: false },
        { success: true, ok: false },
      ],
    ],
    ['results_nested', undefined],
    ['results_single', { id: 'a', success: true }],
  ] as const)('%s: the effect happened, told otherwise', async (kind, results) => {
    const { url, counter } = await startWith({ kind });
    const result = await call(await connect(url), 'add', { args: { by: 1, items: ['a', 'b'] } });
    const told = result.structuredContent?.['results'];
    if (results === undefined)
      expect(result.structuredContent).toMatchObject({ data: { response: { results: [{}, {}] } } });
    else expect(told).toMatchObject(results);
    expect(counter.value).toBe(2);
  });
});

describe('a schema that changes at run time', () => {
  it('is listed anew in open and new sessions, clients are told, an old call still works; the reset takes it back', async () => {
    const { url, counter } = await startCounter({ answerAs: 'stream' });
    const client = await connect(url);
    let told = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (told += 1));
    const takes = async (of: Client): Promise<boolean> =>
      JSON.stringify((await of.listTools()).tools.find(({ name }) => name === 'add')).includes('nota_interna');
    expect(await takes(client)).toBe(false);
    await post(`${url}/faults`, { tool: 'add', kind: 'schema_change' });
    expect([await takes(client), await takes(await connect(url)), told]).toEqual([true, true, 1]);
    await call(client, 'add', { args: { by: 1 } });
    expect(counter.value).toBe(1);
    await post(`${url}/reset`);
    expect(await takes(client)).toBe(false);
  });
});

describe('a tool that asks', () => {
  async function answersTo(kind: 'elicitation' | 'elicitation_ignored', action: 'accept' | 'cancel') {
    const { url, counter } = await startCounter({ answerAs: 'stream' });
    await post(`${url}/faults`, { tool: 'add', kind });
    const client = await connect(url, { elicitation: {} });
    const content = action === 'accept' ? { motivo: 'x' } : undefined;
    client.setRequestHandler(ElicitRequestSchema, () => ({ action, content }));
    const result = await call(client, 'add', { args: { by: 1 } });
    return { isError: result.isError ?? false, value: counter.value };
  }

  it('runs when it is answered, not when it is not, unless it does not care', async () => {
    expect(await answersTo('elicitation', 'accept')).toEqual({ isError: false, value: 1 });
    expect(await answersTo('elicitation', 'cancel')).toEqual({ isError: true, value: 0 });
    expect(await answersTo('elicitation_ignored', 'cancel')).toEqual({ isError: false, value: 1 });
  });

  it('does not run for a client that cannot be asked', async () => {
    const { url, counter } = await startCounter({ answerAs: 'stream' });
    await post(`${url}/faults`, { tool: 'add', kind: 'elicitation' });
    expect((await call(await connect(url), 'add', { args: { by: 1 } })).isError).toBe(true);
    expect(counter.value).toBe(0);
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
    expect(errorOf(await call(await connect(url), 'add', { args: { by: 1 } }))).toMatchObject({
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

  it('error_junk_json and error_structured: say it in shapes of their own', async () => {
    const { url } = await startWith({ kind: 'error_junk_json' });
    const [junk] = (await call(await connect(url), 'add', { args: { by: 1 } })).content;
    expect(() => void JSON.parse(junk?.type === 'text' ? junk.text : '')).toThrow();
    const other = await startWith({ kind: 'error_structured' });
    expect(await call(await connect(other.url), 'add', { args: { by: 1 } })).toMatchObject({
      isError: true,
      structuredContent: { errorCategory: 'business' },
    });
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

describe('the reference of the sample servers', () => {
  it('names every fault', async () => {
    const page = await readFile(new URL('../../../docs/reference/sample-mcp-servers.md', import.meta.url), 'utf8');
    expect(faultKinds.filter((kind) => !page.includes(`\`${kind}\``))).toEqual([]);
  });
});
