import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type PlatformConfig, type ToolExecution } from '@latch/contracts';
import { readToolResult } from '@latch/outcome';
import { eventually } from '@latch/testing';
import { z } from 'zod';
import { ExecutorFixture } from './executor-fixture.features.ts';
import { platformConfig } from './sample-domain.features.ts';

jest.setTimeout(60_000);

const program = fileURLToPath(new URL('fixtures/stdio-domain.mjs', import.meta.url));
const Call = z.object({ tool: z.string(), key: z.string().optional(), pid: z.int() });

let fixture: ExecutorFixture;
let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'latch-stdio-'));
  fixture = await ExecutorFixture.create();
  await fixture.startExecutor(configOf());
});

afterEach(async () => {
  const pids = calls().map(({ pid }) => pid);
  await fixture.close();
  for (const pid of pids) await eventually(() => expect(isThere(pid)).toBe(false));
  rmSync(folder, { recursive: true });
});

/** The platform of these specs, with its server as a child process that is spoken to over stdio. */
function configOf(): PlatformConfig {
  const config = platformConfig({ main: 'stdio:node', timeoutMs: 30_000 });
  const { main } = config.servers;
  if (main === undefined) throw new Error('there is no server');
  const process = { command: 'node', args: [program, logFile()], env: [] };
  return { ...config, servers: { ...config.servers, main: { ...main, connectTimeoutMs: 10_000, process } } };
}

const logFile = (): string => path.join(folder, 'calls.log');

/** Every call that reached a process of the server, in order. */
function calls(): readonly z.infer<typeof Call>[] {
  const lines = readFileSync(logFile(), { encoding: 'utf8', flag: 'a+' }).split('\n');
  return lines.filter((line) => line !== '').map((line) => Call.parse(JSON.parse(line)));
}

/** A process that has ended and that nobody has waited for, a zombie, is still there. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Makes a call, kills the process of the server while it has it, and waits for what the executor makes of that. */
async function killedInTheCall(tool: string): Promise<ToolExecution> {
  const approval = await fixture.approve(tool);
  await fixture.bus.publish([approval.message]);
  await eventually(() => expect(calls()).toHaveLength(1), { timeoutMs: 20_000 });
  for (const { pid } of calls()) process.kill(pid, 'SIGKILL');
  return fixture.executionOf(approval);
}

describe('an MCP server that is a process, killed in the middle of a call', () => {
  it('leaves the outcome of an effect unknown: it is not sent again', async () => {
    const execution = await killedInTheCall('cancel_once');
    expect(execution).toMatchObject({ outcome: { kind: 'transport_error', code: 'server_exited', sent: true } });
    expect(readToolResult(execution)).toMatchObject({ ok: false, outcome: 'UNKNOWN', attempts: 1 });
    expect(calls().map(({ tool }) => tool)).toEqual(['cancel_once']);
  });

  it.each(['look', 'cancel'])('is started again for what may be repeated, under the same key: %s', async (tool) => {
    const execution = await killedInTheCall(tool);
    expect(readToolResult(execution)).toMatchObject({ ok: true, outcome: 'SUCCESS', attempts: 2 });
    expect(calls().map(({ tool: called }) => called)).toEqual([tool, tool]);
    expect(new Set(calls().map(({ key }) => key)).size).toBe(1);
    expect(new Set(calls().map(({ pid }) => pid)).size).toBe(2);
  });

  it('and then used again leaves no process behind when the executor stops', async () => {
    await killedInTheCall('look');
    const [killed, running] = calls().map(({ pid }) => pid);
    expect([killed, running].map((pid) => isThere(pid ?? 0))).toEqual([false, true]);
    await fixture.stopExecutors();
    await eventually(() => expect(isThere(running ?? 0)).toBe(false));
  });
});
