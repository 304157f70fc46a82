import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { compileSchema, type ListedTool, type McpClientPool, schemaHash } from '@latch/mcp';
import { callOf, owner, poolOf, problemsWith, programs, startOverHttp, stdio, textOf } from './third-party.features.ts';

jest.setTimeout(120_000);

let stopServer = async (): Promise<void> => {};

async function connect(transport: 'stdio' | 'Streamable HTTP'): Promise<McpClientPool> {
  if (transport === 'stdio') return poolOf(stdio(programs.everything, 'stdio'));
  const server = await startOverHttp(programs.everything);
  stopServer = () => server.stop();
  return poolOf({ url: server.url });
}

describe.each(['stdio', 'Streamable HTTP'] as const)('@modelcontextprotocol/server-everything over %s', (transport) => {
  let pool: McpClientPool;
  let tools: readonly ListedTool[];

  beforeAll(async () => {
    pool = await connect(transport);
    const listed = await pool.listTools({ ...owner, timeoutMs: 60_000 });
    if (!listed.ok) throw new Error(JSON.stringify(listed.error));
    tools = listed.value;
  });

  afterAll(async () => {
    await pool.close();
    await stopServer();
    stopServer = async () => {};
  });

  it('lists tools whose schemas are compiled and hashed alike each time', async () => {
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['echo', 'get-sum', 'get-structured-content']),
    );
    for (const tool of tools) {
      expect(compileSchema(tool.inputSchema).ok).toBe(true);
      if (tool.outputSchema !== null) expect(compileSchema(tool.outputSchema).ok).toBe(true);
    }
    const again = await pool.listTools({ ...owner, timeoutMs: 60_000 });
    const known = new Map(tools.map((tool) => [tool.name, schemaHash(tool)]));
    expect(
      again.ok && again.value.filter((tool) => known.has(tool.name) && known.get(tool.name) !== schemaHash(tool)),
    ).toEqual([]);
  });

  it('answers', async () => {
    expect(textOf(await pool.callTool(callOf('echo', { message: 'olá' })))).toBe('Echo: olá');
    expect(textOf(await pool.callTool(callOf('get-sum', { a: 2, b: 40 })))).toContain('42');
  });

  it('gives structured content that fits its own output schema', async () => {
    const outputSchema = tools.find(({ name }) => name === 'get-structured-content')?.outputSchema ?? null;
    const outcome = await pool.callTool(callOf('get-structured-content', { location: 'Chicago' }));
    expect(outcome).toMatchObject({ kind: 'result', result: { structuredContent: { humidity: 82 } } });
    expect(problemsWith(outputSchema, outcome)).toEqual([]);
  });

  it.each([
    ['arguments that do not fit', callOf('get-sum', { a: 'x' })],
    ['a tool that it has not', callOf('no-such-tool')],
  ])('says %s in its own way, which is an error in any case', async (_, call) => {
    const outcome = await pool.callTool(call);
    const isError = outcome.kind === 'protocol_error' || (outcome.kind === 'result' && outcome.result.isError === true);
    expect(isError).toBe(true);
    expect(JSON.stringify(outcome)).toContain('-32602');
  });

  it('tells its progress while it works', async () => {
    const seen: number[] = [];
    const onProgress = ({ progress }: { readonly progress: number }): void => void seen.push(progress);
    const work = callOf('trigger-long-running-operation', { duration: 1, steps: 3 }, { onProgress });
    expect(textOf(await pool.callTool(work))).toContain('completed');
    // The SDK may drop the last one, which comes together with the result.
    expect(seen.length).toBeGreaterThanOrEqual(2);
    expect(seen).toEqual([1, 2, 3].slice(0, seen.length));
  });

  it('is left when it takes too long, and answers the next call', async () => {
    const work = callOf('trigger-long-running-operation', { duration: 30, steps: 2 }, { timeoutMs: 500 });
    const from = performance.now();
    expect(await pool.callTool(work)).toEqual({ kind: 'timeout', timeout_ms: 500, sent: true });
    expect(performance.now() - from).toBeLessThan(15_000);
    expect(textOf(await pool.callTool(callOf('echo', { message: 'still here' })))).toContain('still here');
  });

  it('asks a question, which becomes a request for parameters; it goes on all the same, and so its result is kept', async () => {
    const outcome = await pool.callTool(callOf('trigger-elicitation-request'));
    expect(outcome).toMatchObject({
      kind: 'input_required',
      message: 'Please provide inputs for the following fields:',
      requestedSchema: { properties: { name: { type: 'string' }, check: { type: 'boolean' } } },
    });
    expect(JSON.stringify(outcome)).toContain('cancelled');
  });

  it('offers no tool that needs what we do not declare: sampling, roots, pages to open', async () => {
    const listed = await pool.listTools({ ...owner, timeoutMs: 60_000 });
    const names = listed.ok ? listed.value.map(({ name }) => name) : [];
    expect(names).toContain('trigger-elicitation-request');
    for (const name of ['trigger-sampling-request', 'get-roots-list', 'trigger-url-elicitation'])
      expect(names).not.toContain(name);
  });

  it('gives images and links as they are', async () => {
    expect(await pool.callTool(callOf('get-tiny-image'))).toMatchObject({
      kind: 'result',
      result: { content: expect.arrayContaining([expect.objectContaining({ type: 'image' })]) },
    });
  });
});
