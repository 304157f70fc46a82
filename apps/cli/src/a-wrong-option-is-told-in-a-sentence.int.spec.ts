import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { childEnvironment } from '@latch/config';
import { testDataKey } from '@latch/testing';
import { inCheckout } from './checkout.ts';
import { openPlayedStore, playedConversation, type PlayedStore } from './replay/played-store.features.ts';
import { writeOut } from './write-out.ts';

jest.setTimeout(60_000);

let played: PlayedStore;
/** An ingress that lets nobody in. */
let closed: Server;
let url: string;

beforeAll(async () => {
  played = await openPlayedStore();
  await played.keep(await playedConversation('one'));
  const body = JSON.stringify({
    type: 'about:blank',
    title: 'Unauthorized',
    status: 401,
    detail: 'no credential',
    code: 'spec',
  });
  closed = createServer((_, response) => void response.writeHead(401).end(body)).listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = Object.assign({ port: 0 }, closed.address()) satisfies Partial<AddressInfo>;
  url = `http://127.0.0.1:${port}`;
});

afterAll(async () => {
  closed.close();
  await played.end();
});

/** Runs a command as it was built. */
async function latch(args: readonly string[]): Promise<{ readonly code: number | null; readonly said: string }> {
  const env = childEnvironment({ DATABASE_URL: played.url, LATCH_DATA_KEY: testDataKey });
  const words = [inCheckout('apps/cli/dist/main.js'), ...args.map((word) => word.replace('CLOSED', url))];
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += String(text)));
  await once(child, 'close');
  return { code: child.exitCode, said };
}

const nix = 'there is no conversation of tenant nix';
const explain = ['explain', '--conversation', 'default:retail_orders:s', '--url'];
const reason = (text: string): string => `{"outcome":"could_not_run","reason":"${text}`;

it.each([
  [nix, ['replay', 'rebuild', '--tenant', 'nix', '--json']],
  [nix, ['replay', 'redecide', '--tenant', 'nix']],
  [nix, ['projections', 'verify', '--tenant', 'nix', '--json']],
  [nix, ['projections', 'rebuild', '--tenant', 'nix']],
  [nix, ['verify', '--tenant', 'nix', '--json']],
  ['name the person', ['erase', '--subject', '']],
  ['--workers must be a whole number', ['replay', 'rebuild', '--workers', '1e0']],
  ['--public-key nope.pem cannot be read (ENOENT)', ['verify', '--public-key', 'nope.pem']],
  ['ingress does not answer at http://127.0.0.1:1 (bad port)', ['send', 'oi', '--url', 'http://127.0.0.1:1']],
  [reason('HTTP 401: no credential'), [...explain, 'CLOSED', '--json']],
  [reason('HTTP 401: no credential'), [...explain, 'CLOSED', '--message', 'm', '--json']],
  [reason('HTTP 401: no credential'), ['send', 'oi', '--url', 'CLOSED', '--json']],
])('%s: ends with 2', async (sentence, args) => {
  const { code, said } = await latch(args);
  expect({ code, said }).toEqual({ code: 2, said: expect.stringContaining(sentence) });
});

it('a file that cannot be written is named with what kept it from being written', () => {
  expect(() => writeOut(tmpdir(), 'text')).toThrow(`--out ${tmpdir()} cannot be written (EISDIR)`);
});
