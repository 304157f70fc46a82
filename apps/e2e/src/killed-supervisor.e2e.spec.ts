import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { freePorts, isStillRunning, readRunningState, type RunningState } from '@latch/cli';
import { childEnvironment } from '@latch/config';
import { eventually, freshDatabase, testBrokers } from '@latch/testing';

jest.setTimeout(180_000);

const main = path.resolve(import.meta.dirname, '../../cli/dist/main.js');
const stateFolder = mkdtempSync(path.join(tmpdir(), 'latch-supervisor-'));
const started: ChildProcess[] = [];
/** Six services and two sample MCP servers. */
const services = 8;

let environment: Record<string, string>;
let dropDatabase: () => Promise<void>;

beforeAll(async () => {
  const database = await freshDatabase();
  dropDatabase = () => database.drop();
  const ports = Object.entries(await freePorts());
  environment = childEnvironment({
    LATCH_STATE_DIR: stateFolder,
    KAFKA_BROKERS: testBrokers().join(','),
    DATABASE_URL: database.url,
    LATCH_TOPIC_PREFIX: `supervisor-${Date.now()}.`,
    ...Object.fromEntries(ports.map(([name, port]) => [variableOf(name), String(port)])),
  });
});

afterAll(async () => {
  for (const child of started) if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
  await dropDatabase();
  rmSync(stateFolder, { recursive: true, force: true });
});

describe('`npm start`', () => {
  it('says where it is already running, when it is', async () => {
    const first = start();
    await ready();
    const second = start();
    const said = await outputOf(second);
    expect(second.exitCode).toBe(0);
    expect(said).toContain('already running');
    expect(said).toContain(`supervisor pid ${first.pid}`);
  });

  it('ends what a killed supervisor left behind, starts anew, and leaves no process when it is stopped', async () => {
    const left = processesOf(await ready());
    expect(left).toHaveLength(services);
    await end(started[0], 'SIGKILL');
    expect(left.filter(isStillRunning)).toHaveLength(services);

    const next = start();
    const now = processesOf(await ready(next.pid));
    expect(left.filter(isStillRunning)).toEqual([]);
    expect(now.filter(isStillRunning)).toHaveLength(services);

    await end(next, 'SIGINT');
    expect(next.exitCode).toBe(0);
    expect(now.filter(isStillRunning)).toEqual([]);
    expect(readRunningState(stateFolder)).toBeUndefined();
  });
});

function start(): ChildProcess {
  const child = spawn(process.execPath, [main, 'start'], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  return child;
}

/** The state when all is up, by this supervisor if one is named. */
function ready(supervisor?: number): Promise<RunningState> {
  return eventually(
    () => {
      const state = readRunningState(stateFolder);
      if (state?.status !== 'ready' || (supervisor !== undefined && state.supervisor.pid !== supervisor)) {
        throw new Error(`not ready: ${state?.status ?? 'nothing runs'}`);
      }
      return state;
    },
    { timeoutMs: 60_000, everyMs: 100 },
  );
}

function processesOf(state: RunningState): { pid: number; startedAt: string }[] {
  return state.services.flatMap(({ process: identity }) => (identity === null ? [] : [identity]));
}

async function end(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  child?.kill(signal);
  if (child) await once(child, 'exit');
}

async function outputOf(child: ChildProcess): Promise<string> {
  let output = '';
  child.stdout?.on('data', (text) => (output += String(text)));
  await once(child, 'close');
  return output;
}

function variableOf(part: string): string {
  return `LATCH_PORT_${part.toUpperCase().replaceAll('-', '_')}`;
}
