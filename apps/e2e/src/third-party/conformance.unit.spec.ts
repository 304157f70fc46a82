import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

jest.setTimeout(120_000);

const run = promisify(execFile);
const suite = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js');
const shim = fileURLToPath(new URL('node-20-shim.mjs', import.meta.url));
/** Built from `conformance-client.ts`: the suite starts it as a program. */
const client = fileURLToPath(new URL('../../dist/third-party/conformance-client.js', import.meta.url));

const applicable = ['initialize', 'tools_call', 'sse-retry'];

/** What the suite asks for and Latch does not do, by the beginning of the scenario's name. */
const notApplicable: Readonly<Record<string, string>> = {
  'elicitation-sep1034-client-defaults':
    'It wants the client to accept with defaults. Latch never answers in the name of a user: a question is cancelled and becomes a request for parameters.',
  'auth/':
    'OAuth between client and server. Latch shows a server the token or headers that its operator put into the secret environment, and never runs a login of its own.',
};

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'latch-conformance-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function conformance(...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await run('node', ['--import', shim, suite, ...args], { cwd: folder });
  return stdout + stderr;
}

describe('the conformance suite of MCP, against our own client', () => {
  it.each(applicable)('finds nothing wrong in scenario %s', async (scenario) => {
    const command = `node ${client}`;
    const said = await conformance('client', '--command', command, '--scenario', scenario, '--timeout', '60000');
    expect(said).toMatch(/Passed: (\d+)\/\1, 0 failed/);
    expect(said).toContain('OVERALL: PASSED');
  });

  it('has no further scenario for clients than those that do not apply', async () => {
    const [, clients = ''] = (await conformance('list')).split('Client scenarios');
    const scenarios = [...clients.matchAll(/^\s+- (\S+)/gm)].map(([, name = '']) => name);
    expect(scenarios.length).toBeGreaterThan(20);
    const unexplained = scenarios.filter(
      (name) => !applicable.includes(name) && !Object.keys(notApplicable).some((start) => name.startsWith(start)),
    );
    expect(unexplained).toEqual([]);
  });
});
