import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { childEnvironment } from '@latch/config';
import { type McpServerConfig, type RawOutcome } from '@latch/contracts';
import { eventually } from '@latch/testing';
import { lateness } from './lateness.features.ts';
import { type McpCall } from './mcp-call.ts';
import { type McpClientPool, type McpClientPoolOptions } from './mcp-client-pool.ts';
import { poolFor, serverConfig } from './test-server.features.ts';

jest.setTimeout(60_000);

const program = fileURLToPath(new URL('fixtures/stdio-server.mjs', import.meta.url));
const secret = 'crm-secret-1';
const path = childEnvironment()['PATH'] ?? '';
const environment = { variables: { PATH: path, CRM_TOKEN: secret }, secrets: [secret] };

const pools: McpClientPool[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

function start(
  of: { readonly mode?: string; readonly server?: Partial<McpServerConfig> } & Partial<McpClientPoolOptions> = {},
): McpClientPool {
  const { mode = 'good', server, ...options } = of;
  const process = { command: 'node', args: [program, mode], env: ['CRM_TOKEN'] };
  const config = { ...serverConfig('test', 0), url: 'stdio:node', process, connectTimeoutMs: 10_000, ...server };
  const pool = poolFor(config, { environments: { test: environment }, ...options });
  pools.push(pool);
  return pool;
}

function call(name: string, more: Partial<McpCall> = {}): McpCall {
  return { server: 'test', tenant: 'tenant-1', principal: 'agent-1', name, arguments: {}, timeoutMs: 20_000, ...more };
}

function textOf(outcome: RawOutcome): string {
  const [block] = outcome.kind === 'result' ? (outcome.result.content ?? []) : [];
  return typeof block === 'object' && block !== null && 'text' in block ? String(block.text) : JSON.stringify(outcome);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function eventuallyDead(pid: number): Promise<void> {
  await eventually(() => expect(isAlive(pid)).toBe(false), { timeoutMs: 20_000 });
}

describe('a server that is a process', () => {
  it('answers, is shown the key, the tenant and the trace, and lists its tools', async () => {
    const pool = start();
    const outcome = await pool.callTool(call('echo', { arguments: { value: 7 }, idempotencyKey: 'key-1' }));
    expect(outcome).toMatchObject({ kind: 'result', result: { structuredContent: { value: 7 } } });
    expect(textOf(outcome)).toContain('"latch/idempotency-key":"key-1"');
    const listed = await pool.listTools({
      server: 'test',
      tenant: 'tenant-1',
      principal: 'agent-1',
      timeoutMs: 20_000,
    });
    expect(listed.ok && listed.value.map(({ name }) => name)).toContain('echo');
  });

  it('sees of the environment what it was given, and no more', async () => {
    const seen = textOf(await start().callTool(call('environment')));
    expect(Object.keys(JSON.parse(seen)).sort()).toEqual(['CRM_TOKEN', 'PATH']);
  });

  it('is one per tenant and principal, kept over calls, and ends with the pool, with all that it started', async () => {
    const pool = start();
    const pids = [];
    for (const owner of [{}, {}, { tenant: 'tenant-2' }, { principal: 'agent-2' }])
      pids.push(Number(textOf(await pool.callTool(call('pid', owner)))));
    expect(new Set(pids).size).toBe(3);
    expect(pids[0]).toBe(pids[1]);
    const child = Number(textOf(await pool.callTool(call('child'))));
    await pool.close();
    for (const pid of [...pids, child]) await eventuallyDead(pid);
  });

  it('that takes no notice of being asked to end is ended', async () => {
    const pool = start({ mode: 'stubborn' });
    const pid = Number(textOf(await pool.callTool(call('pid'))));
    await pool.close();
    await eventuallyDead(pid);
  });

  it('may write lines that are no messages, and answers to nobody', async () => {
    expect(textOf(await start().callTool(call('junk')))).toBe('fine all the same');
  });

  it('runs at most as often as allowed: the one without a call makes room, and with none of those the call is not sent', async () => {
    const pool = start({ maxProcesses: 1 });
    await pool.callTool(call('pid'));
    expect(await pool.callTool(call('pid', { tenant: 'tenant-2' }))).toMatchObject({ kind: 'result' });
    expect(pool.sessionCount).toBe(1);
    const giveUp = new AbortController();
    const running = pool.callTool(call('hang', { tenant: 'tenant-2', signal: giveUp.signal }));
    await sleep(100);
    expect(await pool.callTool(call('pid'))).toMatchObject({ code: 'too_many_sessions', sent: false });
    giveUp.abort();
    expect(await running).toMatchObject({ code: 'aborted' });
  });

  it('without a known environment is not started', async () => {
    expect(await start({ environments: {} }).callTool(call('pid'))).toMatchObject({ kind: 'refused' });
  });
});

describe('what a process tells in the middle of a call', () => {
  it('is handed on: progress, a question, other tools', async () => {
    const changed: string[] = [];
    const pool = start({ onToolsChanged: (server) => changed.push(server) });
    const steps: number[] = [];
    await pool.callTool(call('steps', { onProgress: ({ progress }) => steps.push(progress) }));
    expect(steps).toEqual([1, 2]);
    expect(await pool.callTool(call('ask'))).toEqual({
      ...{ kind: 'input_required', message: 'Why?' },
      requestedSchema: { type: 'object', properties: { reason: { type: 'string' } } },
    });
    await pool.callTool(call('change'));
    expect(changed).toEqual(['test']);
  });

  it('about another call of the same session blames nobody: with two running, the question is of neither', async () => {
    const pool = start();
    await pool.callTool(call('pid'));
    const slow = pool.callTool(call('steps', { onProgress: () => {} }));
    expect(await pool.callTool(call('ask'))).toMatchObject({ kind: 'result', result: { isError: true } });
    expect(await slow).toMatchObject({ kind: 'result' });
  });
});

describe('a process that goes wrong', () => {
  it('by crashing in a call: told at once, as sent; its last words are masked; the next call starts another one', async () => {
    const lines: string[] = [];
    const pool = start({ onServerLog: (_server, line) => lines.push(line) });
    await pool.callTool(call('pid'));
    const from = performance.now();
    const outcome = await pool.callTool(call('crash'));
    expect(outcome).toMatchObject({ kind: 'transport_error', code: 'server_exited', sent: true });
    expect(performance.now() - from).toBeLessThan(10_000);
    expect(JSON.stringify(outcome)).toContain('code 7');
    expect(JSON.stringify([outcome, lines])).not.toMatch(/crm-secret-1|529\.982\.247-25/);
    expect(lines).toContain('started with ***');
    expect(await pool.callTool(call('echo'))).toMatchObject({ kind: 'result' });
  });

  it('by being killed between two calls: the next call starts another one', async () => {
    const pool = start();
    const pid = Number(textOf(await pool.callTool(call('pid'))));
    process.kill(pid, 'SIGKILL');
    await eventuallyDead(pid);
    await sleep(100);
    expect(await pool.callTool(call('pid'))).toMatchObject({ kind: 'result' });
  });

  it('by hanging: ended within the deadline + 100 ms, unknown; the process is left, and another one answers', async () => {
    const pool = start();
    const pids: number[] = [];
    const running = async (): Promise<unknown> => pids.push(Number(textOf(await pool.callTool(call('pid')))));
    const hang = async (): Promise<void> =>
      expect(await pool.callTool(call('hang', { timeoutMs: 300 }))).toEqual({
        kind: 'timeout',
        timeout_ms: 300,
        sent: true,
      });
    expect(await lateness(300, hang, running)).toBeLessThan(100);
    for (const pid of pids) await eventuallyDead(pid);
    expect(await pool.callTool(call('pid'))).toMatchObject({ kind: 'result' });
  });

  it('by an answer that is too large: refused by name, and not kept', async () => {
    const pool = start({ server: { maxResultBytes: 100_000 } });
    expect(await pool.callTool(call('large', { arguments: { bytes: 50_000_000 } }))).toMatchObject({
      ...{ kind: 'transport_error', code: 'result_too_large', sent: true },
    });
    expect(await pool.callTool(call('large', { arguments: { bytes: 50_000 } }))).toMatchObject({ kind: 'result' });
  });

  it('by an answer that stops in the middle: given up after the idle time', async () => {
    const pool = start({ idleTimeoutMs: 200 });
    expect(await pool.callTool(call('stall'))).toMatchObject({ code: 'idle_timeout', sent: true });
  });

  it('by a flood of words on its standard error: they are bounded, and the call goes on', async () => {
    const lines: string[] = [];
    const before = process.memoryUsage().rss;
    const pool = start({ onServerLog: (_server, line) => lines.push(line) });
    expect(textOf(await pool.callTool(call('flood')))).toBe('quiet again');
    expect(lines.length).toBeLessThan(1_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(100e6);
  });

  it.each([
    ['that is not there', { command: 'no-such-program-of-latch', args: [] }, 'unreachable'],
    ['that ends before the handshake', { command: 'node', args: [program, 'dies'] }, 'server_exited'],
  ])('because of a program %s: certainly not sent', async (_, program, code) => {
    const pool = start({ server: { process: { ...program, env: [] } } });
    expect(await pool.callTool(call('pid'))).toMatchObject({ kind: 'transport_error', code, sent: false });
  });

  it('by not shaking hands: ended with the deadline, not sent', async () => {
    const pool = start({ mode: 'silent' });
    expect(await pool.callTool(call('pid', { timeoutMs: 500 }))).toEqual({
      kind: 'timeout',
      timeout_ms: 500,
      sent: false,
    });
  });
});
