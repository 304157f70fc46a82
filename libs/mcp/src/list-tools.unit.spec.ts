import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type RawOutcome, type Result } from '@latch/contracts';
import { type ListedTool } from './listed-tool.ts';
import { listLimits } from './list-tools.ts';
import { type McpClientPool } from './mcp-client-pool.ts';
import { schemaHash } from './schema-hash.ts';
import { answerJson, echo, type Fault, poolFor, serverConfig, TestServer } from './test-server.features.ts';

jest.setTimeout(30_000);

const owner = { server: 'test', tenant: 'tenant-1', principal: 'agent-1' };
let server: TestServer;
let pool: McpClientPool;

beforeEach(async () => {
  server = await new TestServer().listen();
  pool = poolFor(serverConfig('test', server.port), { idleTimeoutMs: 300 });
});

afterEach(async () => {
  await pool.close();
  await server.close();
});

type Page = { readonly tools: unknown; readonly nextCursor?: unknown };

function answer(page: Page): Fault {
  return (response, id) => answerJson(response, 200, { jsonrpc: '2.0', id, result: page });
}

async function listPages(...pages: readonly Page[]): Promise<Result<readonly ListedTool[], RawOutcome>> {
  server.listFaults.push(...pages.map(answer));
  return pool.listTools(owner);
}

async function namesOf(...pages: readonly Page[]): Promise<readonly string[]> {
  const listed = await listPages(...pages);
  return listed.ok ? listed.value.map(({ name }) => name) : [JSON.stringify(listed.error)];
}

const inputSchema = { type: 'object', properties: {} };
const tool = (name: string): unknown => ({ name, inputSchema });

describe('the tools of a server', () => {
  it('are listed with their schemas, in the session of their owner', async () => {
    const listed = await pool.listTools(owner);
    expect(listed.ok && listed.value.map(({ name }) => name)).toEqual(['echo', 'slow', 'steps', 'ask', 'fail']);
    expect(listed).toMatchObject({
      value: expect.arrayContaining([
        expect.objectContaining({
          ...{ name: 'echo', outputSchema: null, annotations: {}, taskSupport: 'forbidden' },
          inputSchema: expect.objectContaining({ type: 'object', properties: { value: {} } }),
        }),
      ]),
    });
    await pool.callTool(echo());
    expect(server.handshakes).toBe(1);
  });

  it('are listed over all pages', async () => {
    const pages = [
      { tools: [tool('a')], nextCursor: '1' },
      { tools: [tool('b')], nextCursor: '2' },
      { tools: [tool('c')] },
    ];
    expect(await namesOf(...pages)).toEqual(['a', 'b', 'c']);
  });

  it('are listed again from the start in a new session when the server has lost the old one', async () => {
    await pool.callTool(echo());
    server.forgetSessions();
    expect((await pool.listTools(owner)).ok).toBe(true);
    expect(server.handshakes).toBe(2);
  });

  it('do not fail over one entry that is none; two of one name are left out, for nobody knows which is meant', async () => {
    const odd = [null, 7, { name: 'no schema' }, { name: '', inputSchema }, { name: 'x', inputSchema: 'y' }];
    expect(await namesOf({ tools: [...odd, tool('twin'), tool('a'), tool('twin')] })).toEqual(['a']);
  });

  it('are taken as they come where a hint is odd', async () => {
    const strange = { name: 'a', description: 7, inputSchema, annotations: 'x', execution: { taskSupport: 'maybe' } };
    expect(await listPages({ tools: [strange] })).toEqual({
      ok: true,
      value: [{ name: 'a', description: '', inputSchema, outputSchema: null, annotations: {} }],
    });
  });
});

describe('a list of tools that is not to be had', () => {
  it.each<[string, readonly Page[], string]>([
    [
      'a cursor that comes twice',
      [
        { tools: [], nextCursor: 'x' },
        { tools: [], nextCursor: 'x' },
      ],
      'result_unreadable',
    ],
    [
      'a cursor that comes back later',
      ['x', 'y', 'x'].map((nextCursor) => ({ tools: [], nextCursor })),
      'result_unreadable',
    ],
    [
      'pages without end',
      Array.from({ length: 101 }, (_, at) => ({ tools: [], nextCursor: `${at}` })),
      'result_too_large',
    ],
    ['too many tools', [{ tools: Array.from({ length: listLimits.tools + 1 }, () => 0) }], 'result_too_large'],
    ['a list that is none', [{ tools: 'many' }], 'result_unreadable'],
    ['a page of more bytes than are read', [{ tools: ['x'.repeat(2_000_000)] }], 'result_too_large'],
  ])('for %s is refused by name, and no tool was called', async (_, pages, code) => {
    expect(await listPages(...pages)).toMatchObject({
      ok: false,
      error: { kind: 'transport_error', code, sent: false },
    });
  });

  it('ends with its budget, pages that drip included, and with a signal', async () => {
    server.listFaults.push(() => {});
    expect(await pool.listTools({ ...owner, timeoutMs: 150 })).toEqual({
      ok: false,
      error: { kind: 'timeout', timeout_ms: 150, sent: false },
    });
    server.listFaults.push(() => {});
    expect(await pool.listTools({ ...owner, signal: AbortSignal.timeout(50) })).toMatchObject({
      error: { code: 'aborted' },
    });
  });

  it('is told for what it is: HTTP, JSON-RPC, no server of that name', async () => {
    server.listFaults.push((response) => answerJson(response, 503, {}));
    expect(await pool.listTools(owner)).toMatchObject({ ok: false, error: { kind: 'http_error', status: 503 } });
    const error = { code: -32601, message: 'Method not found' };
    server.listFaults.push((response, id) => answerJson(response, 200, { jsonrpc: '2.0', id, error }));
    expect(await pool.listTools(owner)).toMatchObject({ ok: false, error: { kind: 'protocol_error', code: -32601 } });
    expect(await pool.listTools({ ...owner, server: 'x' })).toMatchObject({ ok: false, error: { kind: 'refused' } });
  });
});

describe('the hash of a tool', () => {
  const base = { inputSchema: { type: 'object', properties: { a: {}, b: {} } }, outputSchema: null };

  it('is the same for the same schemas, in whatever order their keys stand', () => {
    expect(schemaHash({ inputSchema: { properties: { b: {}, a: {} }, type: 'object' }, outputSchema: null })).toBe(
      schemaHash(base),
    );
  });

  it.each([
    ['the input', { ...base, inputSchema: { type: 'object' } }],
    ['the output', { ...base, outputSchema: {} }],
  ])('is another one when %s changes', (_, changed) => {
    expect(schemaHash(changed)).not.toBe(schemaHash(base));
  });
});
