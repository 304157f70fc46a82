import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { childEnvironment } from '@latch/config';
import { testDataKey } from '@latch/testing';
import { inCheckout } from './checkout.ts';

/** Says each file that is loaded, at once. */
const hooks = `import { writeSync } from 'node:fs';
  export async function load(url, context, next) {
    writeSync(2, 'loaded ' + url + '\\n');
    return next(url, context);
  }`;

const asUrl = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
const watch = asUrl(`import { register } from 'node:module'; register(${JSON.stringify(asUrl(hooks))});`);

/** Postgres and Kafka that take a connection and never answer. */
let silent: Server;
let address: string;
const connected: (() => void)[] = [];

beforeAll(async () => {
  silent = createServer((socket) => {
    socket.on('error', () => undefined);
    connected.shift()?.();
  });
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = Object.assign({ port: 0 }, silent.address()) satisfies Partial<AddressInfo>;
  address = `127.0.0.1:${port}`;
});

afterAll(() => {
  silent.close();
});

type When = { readonly loaded: string } | 'connected';

type Stopped = {
  readonly code: number | null;
  readonly signal: string | null;
  readonly report: unknown;
  readonly errors: string;
};

/** Runs a command as it was built, and stops it as soon as it has come so far. */
async function stopped(args: readonly string[], when: When, signal: NodeJS.Signals = 'SIGINT'): Promise<Stopped> {
  const env = childEnvironment({
    ...{ DATABASE_URL: `postgres://latch@${address}/latch`, KAFKA_BROKERS: address, LATCH_DATA_KEY: testDataKey },
  });
  const child = spawn(process.execPath, ['--import', watch, inCheckout('apps/cli/dist/main.js'), ...args], {
    ...{ env, stdio: ['ignore', 'pipe', 'pipe'] },
  });
  const said = { output: '', loaded: '' };
  const stop = (): void => void child.kill(signal);
  if (when === 'connected') connected.push(stop);
  child.stdout?.on('data', (text) => (said.output += String(text)));
  child.stderr?.on('data', (text) => {
    said.loaded += String(text);
    if (when !== 'connected' && said.loaded.includes(when.loaded)) stop();
  });
  await once(child, 'close');
  const report = said.output === '' ? null : JSON.parse(said.output);
  return { code: child.exitCode, signal: child.signalCode, report, errors: said.loaded };
}

const reemit = ['replay', 'reemit', '--topic', 'latch.turns.v1', '--from', '2026-01-01', '--to', '2026-02-01'];
const commands: readonly (readonly [file: string, code: 1 | 2, args: readonly string[]])[] = [
  ['verify', 2, ['verify']],
  ['replay-rebuild', 2, ['replay', 'rebuild']],
  ['replay-redecide', 2, ['replay', 'redecide']],
  ['replay-reemit', 1, reemit],
  ['projections-verify', 2, ['projections', 'verify']],
  ['projections-rebuild', 2, ['projections', 'rebuild']],
  ['dead-letters-list', 2, ['dead-letters', 'list']],
  ['dead-letters-redrive', 1, ['dead-letters', 'redrive', 'x', '--yes']],
  ['erase', 2, ['erase', '--subject', 'x']],
  ['keys-rewrap', 2, ['keys', 'rewrap']],
  ['catalogue', 2, ['catalogue', 'list']],
];

function answer(code: 1 | 2, signal: string): object {
  const outcome = code === 1 ? 'stopped' : 'could_not_run';
  return { code, signal: null, errors: expect.any(String), report: { outcome, reason: `Stopped by ${signal}.` } };
}

describe('a command with --json that is stopped', () => {
  it.each(commands)('%s says so before it has begun, with the exit code of later: %d', async (file, code, args) => {
    const ended = await stopped([...args, '--json'], { loaded: `/commands/${file}.js` });
    expect(ended).toEqual(answer(code, 'SIGINT'));
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('says so in the first moment, of %s', async (signal) => {
    expect(await stopped(['verify', '--json'], { loaded: '/run-cli.js' }, signal)).toEqual(answer(2, signal));
  });

  // One for each way in which a command is run.
  const ways = commands.filter(([file]) => /^(verify|replay-reemit|dead-letters-list|erase)$/.test(file));

  it.each(ways)('%s says so while it waits for what does not answer', async (_file, code, args) => {
    expect(await stopped([...args, '--json'], 'connected')).toEqual(answer(code, 'SIGINT'));
  });
});

it('a command without --json tells a person a sentence, and ends with the same exit code', async () => {
  const ended = await stopped(['verify'], { loaded: '/run-cli.js' });
  expect(ended).toMatchObject({ code: 2, signal: null, report: null });
  expect(ended.errors).toContain('could not run: Stopped by SIGINT.\n');
});
