// What the local parts (kafka.mjs, postgres.mjs) share: processes, ports, waits and locks. Node built-ins only.
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The checkout that these scripts belong to; the jars are kept once per checkout. */
export const checkoutFolder = path.resolve(import.meta.dirname, '../..');

/** Whether the process runs. A zombie (killed, not yet reaped by its parent) does not. */
export function isAlive(pid) {
  return isKnownToSystem(pid) && stateOf(pid) !== 'Z';
}

/** Whether the process table holds the pid, be it a zombie. */
export function isKnownToSystem(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function stateOf(pid) {
  try {
    if (existsSync('/proc/self/stat')) return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)[0];
    return execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).trim()[0];
  } catch {
    return 'Z';
  }
}

/** The command line of a process, or '' when there is none: a pid in a file may belong to somebody else by now. */
export function commandOf(pid) {
  try {
    if (existsSync('/proc/self/cmdline')) return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

/** Sends SIGTERM, waits, then SIGKILL. Resolves when the process is gone. */
export async function stopProcess(pid, { graceMs = 20_000 } = {}) {
  if (!isAlive(pid)) return;
  signal(pid, 'SIGTERM');
  if (await waitUntil(() => !isAlive(pid), { timeoutMs: graceMs })) return;
  signal(pid, 'SIGKILL');
  if (await waitUntil(() => !isAlive(pid), { timeoutMs: 10_000 })) return;
  throw new Error(`Process ${pid} does not end, not even on SIGKILL. End it by hand, then try again.`);
}

function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** Repeats `check` until it says true. @returns false when the time is over. */
export async function waitUntil(check, { timeoutMs, everyMs = 50 }) {
  const endsAt = Date.now() + timeoutMs;
  for (;;) {
    if (await check()) return true;
    if (Date.now() >= endsAt) return false;
    await sleep(everyMs);
  }
}

/** Whether somebody accepts connections on the local port. */
export function isAccepting(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const answer = (yes) => {
      socket.destroy();
      resolve(yes);
    };
    socket.setTimeout(1000, () => answer(false));
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
  });
}

/**
 * Waits up to two seconds for a port to be free: a process that was killed a moment ago may still hold it.
 *
 * @throws Error that names the port and says what to do when another process listens on it.
 */
export async function assertPortIsFree(port, { of, option }) {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`${of}: ${port} is not a port number.`);
  if (await waitUntil(() => isPortFree(port), { timeoutMs: 2000 })) return;
  throw new Error(
    `${of}: port ${port} is taken by another process. Stop that one, or choose another port (${option}).`,
  );
}

function isPortFree(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** A port that nobody uses now, from the range that the system hands out. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Runs a command to its end. @returns its exit code (-1 when it could not run or was killed) and all that it printed. */
export function run(command, args, { timeoutMs, ...options } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      ...options,
    });
    let output = '';
    const take = (text) => (output = (output + text).slice(-20_000));
    child.stdout?.on('data', take);
    child.stderr?.on('data', take);
    child.once('error', (error) => resolve({ code: -1, output: `${output}${error.message}` }));
    child.once('close', (code) => resolve({ code: code ?? -1, output }));
  });
}

/** Starts a process that outlives this one, in its own session (a Ctrl-C in the terminal does not reach it), its output appended to `logFile`. */
export function startInBackground(command, args, { logFile, ...options }) {
  mkdirSync(path.dirname(logFile), { recursive: true });
  const log = openSync(logFile, 'a');
  const child = spawn(command, args, { detached: true, stdio: ['ignore', log, log], ...options });
  closeSync(log);
  child.once('error', () => undefined);
  child.unref();
  return child;
}

/** The last lines of a log, for an error message. */
export function lastLines(file, count = 15) {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
  } catch {
    return '(no log)';
  }
}

/**
 * Runs `work` while holding a lock file, so that two commands do not start or fetch the same thing at once. The lock of a process that was killed
 * counts as free.
 *
 * @throws Error when a living process keeps the lock for longer than `timeoutMs`.
 */
export async function withLock(file, { timeoutMs = 180_000, onWait = () => undefined }, work) {
  mkdirSync(path.dirname(file), { recursive: true });
  let told = false;
  const tell = (owner) => {
    if (!told) onWait(owner);
    told = true;
  };
  const taken = await waitUntil(() => takeLock(file, tell), { timeoutMs, everyMs: 100 });
  if (!taken)
    throw new Error(`Process ${ownerOf(file)} holds ${file} for too long. Wait for it, or end it, then try again.`);
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function takeLock(file, onWait) {
  try {
    const lock = openSync(file, 'wx');
    writeSync(lock, String(process.pid));
    closeSync(lock);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    const owner = ownerOf(file);
    if (isStale(file, owner)) rmSync(file, { force: true });
    else onWait(owner);
    return false;
  }
}

function ownerOf(file) {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10);
  } catch {
    return Number.NaN;
  }
}

/** A lock without an owner in it was just made, or its maker died between the two steps: give it two seconds. */
function isStale(file, owner) {
  if (Number.isInteger(owner)) return !isAlive(owner);
  try {
    return Date.now() - statSync(file).mtimeMs > 2000;
  } catch {
    return false;
  }
}

/** Reads `--name value` pairs of a script's command line; numbers become numbers. */
export function readOptions(args) {
  const options = {};
  for (let at = 0; at < args.length; at += 2) {
    const name = args[at].replace(/^--/, '').replaceAll(/-([a-z])/g, (_, letter) => letter.toUpperCase());
    const value = args[at + 1];
    if (!args[at].startsWith('--') || value === undefined)
      throw new Error(`Expected "--name value", got "${args[at]}".`);
    options[name] = /^\d+$/.test(value) ? Number(value) : value;
  }
  return options;
}

/** Runs one of a script's commands, prints one line of result, and ends with exit code 1 and a sentence on failure. */
export async function runScript(commands, usage) {
  const [name = '', ...rest] = process.argv.slice(2);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    process.stderr.write(`${usage}\n`);
    process.exitCode = 2;
    return;
  }
  try {
    const line = await command({ ...readOptions(rest), onProgress: (text) => process.stderr.write(`${text}\n`) });
    process.stdout.write(`${line}\n`);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
