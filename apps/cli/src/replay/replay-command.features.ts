import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '@latch/config';
import { testDataKey } from '@latch/testing';
import { inCheckout } from '../checkout.ts';

/** How a command ended. */
export type Ended = { readonly code: number | null; readonly output: string; readonly errors: string };

/** `latch replay` as a process of its own, over a sealed store of a test. */
export type ReplayCommand = { readonly child: ChildProcess; readonly ended: Promise<Ended> };

type Surroundings = {
  /** Arguments of `node`. */
  readonly node?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
};

/** Starts `latch replay ... --json`. */
export function startReplay(
  databaseUrl: string,
  args: readonly string[],
  { node = [], environment = {} }: Surroundings = {},
): ReplayCommand {
  const main = inCheckout('apps/cli/dist/main.js');
  const env = childEnvironment({ DATABASE_URL: databaseUrl, LATCH_DATA_KEY: testDataKey, ...environment });
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
  const child = spawn(process.execPath, [...node, main, 'replay', ...args, '--json'], { env, stdio });
  const said = { output: '', errors: '' };
  child.stdout.on('data', (text) => (said.output += String(text)));
  child.stderr.on('data', (text) => (said.errors += String(text)));
  return { child, ended: once(child, 'close').then(() => ({ code: child.exitCode, ...said })) };
}

const watcher = fileURLToPath(new URL('./fixtures/watch-sockets.mjs', import.meta.url));

/** Runs it with every socket watched that it or a worker of it opens. @returns besides, which thread began, or opened a socket to where. */
export async function watchedReplay(
  databaseUrl: string,
  args: readonly string[],
): Promise<Ended & { readonly sockets: readonly (readonly string[])[] }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'latch-sockets-'));
  const file = path.join(folder, 'sockets');
  try {
    const node = ['--import', watcher];
    const ended = await startReplay(databaseUrl, args, { node, environment: { WATCHED_SOCKETS: file } }).ended;
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    return { ...ended, sockets: lines.map((line) => line.split(' ')) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
