import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type ListedTool, type McpClientPool } from '@latch/mcp';
import { callOf, owner, poolOf, problemsWith, programs, stdio, textOf } from './third-party.features.ts';

jest.setTimeout(120_000);

describe('@modelcontextprotocol/server-filesystem over stdio', () => {
  let folder: string;
  let pool: McpClientPool;
  let tools: readonly ListedTool[];

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'latch-files-')));
    await writeFile(path.join(folder, 'pedido.txt'), 'PED-1001\n');
    pool = poolOf(stdio(programs.filesystem, folder));
    const listed = await pool.listTools({ ...owner, timeoutMs: 60_000 });
    if (!listed.ok) throw new Error(JSON.stringify(listed.error));
    tools = listed.value;
  });

  afterAll(async () => {
    await pool.close();
    await rm(folder, { recursive: true });
  });

  const schemaOf = (tool: string) => tools.find(({ name }) => name === tool)?.outputSchema ?? null;

  it('reads a file, and what it says fits its output schema', async () => {
    const outcome = await pool.callTool(callOf('read_text_file', { path: path.join(folder, 'pedido.txt') }));
    expect(problemsWith(schemaOf('read_text_file'), outcome)).toEqual([]);
    expect(outcome).toMatchObject({ kind: 'result', result: { structuredContent: { content: 'PED-1001\n' } } });
  });

  it('writes a file: the effect is there', async () => {
    const file = path.join(folder, 'novo.txt');
    const write = callOf('write_file', { path: file, content: 'olá' });
    const outcome = await pool.callTool(write);
    expect(problemsWith(schemaOf('write_file'), outcome)).toEqual([]);
    expect(await readFile(file, 'utf8')).toBe('olá');
  });

  it.each([
    ['outside of its folder', '/etc/hostname', /denied/i],
    ['that is not there', 'missing.txt', /ENOENT|not exist|no such/i],
  ])('refuses a file %s with isError and its own words', async (_, file, words) => {
    const outcome = await pool.callTool(callOf('read_text_file', { path: path.resolve(folder, file) }));
    expect(outcome).toMatchObject({ kind: 'result', result: { isError: true } });
    expect(textOf(outcome)).toMatch(words);
  });

  it('marks its reads and writes with hints, which are only the word of the server', () => {
    const hints = new Map(tools.map(({ name, annotations }) => [name, annotations['readOnlyHint']]));
    expect([hints.get('read_text_file'), hints.get('write_file')]).toEqual([true, false]);
  });

  it('has one process per tenant, and each sees the same files', async () => {
    await pool.callTool(callOf('list_directory', { path: folder }));
    expect(textOf(await pool.callTool(callOf('list_directory', { path: folder }, { tenant: 'tenant-2' })))).toContain(
      'pedido.txt',
    );
    expect(pool.sessionCount).toBe(2);
  });
});
