// The door of every command: `node deploy/local/bootstrap.mjs <command>`. Plain JavaScript without a dependency, so that it runs on a bare clone:
// installs the packages when they differ from the lock file, builds when a source is newer than the last build, then runs the command.
// Words that begin with `dev:` are for who works on Latch; every other one is a command of `latch`, which has a `verify` of its own.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { checkoutFolder, waitUntil, withLock } from './processes.mjs';
import { answerStops, endCouldNotRun } from './stops.mjs';

const stateFolder = path.join(checkoutFolder, '.latch');
const buildStamp = path.join(stateFolder, 'built');
const [command = 'help', ...args] = process.argv.slice(2);

if (!command.startsWith('dev:')) answerStops([command, ...args]);
try {
  await main();
} catch (error) {
  if (!command.startsWith('dev:')) endCouldNotRun([command, ...args], error.message);
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function main() {
  checkNode();
  mkdirSync(stateFolder, { recursive: true });
  await withLock(path.join(stateFolder, 'prepare.lock'), { timeoutMs: 900_000, onWait: sayWaiting }, prepare);
  if (command === 'dev:build') return progress('built');
  process.chdir(checkoutFolder);
  if (command === 'dev:verify') return (await import('./verify.mjs')).verify(args);
  if (command === 'dev:bench') return (await import('./bench.mjs')).bench(args);
  if (command === 'dev:test') return (await import('./run-tests.mjs')).runTests(args);
  process.argv = [process.argv[0], path.join(checkoutFolder, 'apps/cli/dist/main.js'), command, ...args];
  await import('../../apps/cli/dist/main.js');
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Error(`Node.js ${process.versions.node} is too old: install version 20.19 or later (https://nodejs.org).`);
}

function sayWaiting(owner) {
  progress(`process ${owner} is installing or building here, waiting for it`);
}

async function prepare() {
  if (!isInstalled()) await install();
  // The proof of a change builds as one of its own steps.
  if (command !== 'dev:verify' && !isBuilt()) await build();
}

/** Whether node_modules holds exactly the versions of the lock file. npm leaves its own record of what it installed. */
function isInstalled() {
  const installed = packagesIn('node_modules/.package-lock.json');
  const wanted = packagesIn('package-lock.json');
  if (!installed || !wanted) return false;
  return Object.entries(wanted)
    .filter(([name, entry]) => name.startsWith('node_modules/') && !entry.optional)
    .every(([name, entry]) => (entry.link ? installed[name]?.link : installed[name]?.version === entry.version));
}

function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(path.join(checkoutFolder, file), 'utf8')).packages;
  } catch {
    return undefined;
  }
}

async function install() {
  progress('installing packages (npm ci; some 250 MB, a minute or so, only when the lock file changed)');
  const npm = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm'];
  const code = await runVisibly([...npm, 'ci', '--no-audit', '--no-fund'], { timeoutMs: 600_000, what: 'npm ci' });
  if (code !== 0) {
    throw new Error(
      'The packages could not be installed. Check network, free disk (1 GB) and the lines above; then run the same command again.',
    );
  }
}

/** Whether every app was built after the last change of a source. Folders count too: a removed file changes its folder. */
function isBuilt() {
  const stamp = modifiedAtMs(buildStamp);
  const rooms = ['apps', 'libs'].flatMap((kind) => subfolders(path.join(checkoutFolder, kind)));
  const shared = ['package-lock.json', 'tsconfig.base.json'].map((file) => path.join(checkoutFolder, file));
  if (shared.some((file) => modifiedAtMs(file) > stamp)) return false;
  return rooms.every(
    (room) => newestIn(room) <= stamp && (existsSync(path.join(room, 'dist')) || !existsSync(path.join(room, 'src'))),
  );
}

function subfolders(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(folder, entry.name));
}

function newestIn(folder) {
  const skipped = new Set(['dist', 'node_modules']);
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => !skipped.has(entry.name));
  const times = entries.map((entry) => {
    const full = path.join(folder, entry.name);
    return entry.isDirectory() ? Math.max(modifiedAtMs(full), newestIn(full)) : modifiedAtMs(full);
  });
  return Math.max(0, ...times);
}

function modifiedAtMs(file) {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}

async function build() {
  progress('building (only what changed; the first time about a minute)');
  const startedAt = new Date();
  const nx = [process.execPath, path.join(checkoutFolder, 'node_modules/.bin/nx')];
  // One compiler for all projects in their order: a quarter of the time of one compiler per project.
  const code = await runVisibly([...nx, 'run', 'latch:build'], {
    timeoutMs: 600_000,
    what: 'the build',
    isQuiet: true,
  });
  if (code !== 0) throw new Error('The build failed; the lines above say where. `npm run build` repeats it.');
  writeFileSync(buildStamp, `${startedAt.toISOString()}\n`);
  utimesSync(buildStamp, startedAt, startedAt); // what was edited during the build is newer
}

/** Runs a command with its output on the screen, or, when quiet, shown only if it fails; every 10 s a line says that it still runs. */
async function runVisibly([file, ...rest], { timeoutMs, what, isQuiet = false }) {
  const env = { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false' };
  const stdio = isQuiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 2, 2];
  const child = spawn(file, rest, { cwd: checkoutFolder, env, stdio, timeout: timeoutMs });
  let output = '';
  child.stdout?.on('data', (text) => (output += text));
  child.stderr?.on('data', (text) => (output += text));
  let code;
  child.once('error', (error) => (output += error.message) && (code = -1));
  child.once('close', (status) => (code ??= status ?? -1));
  const startedAtMs = Date.now();
  while (!(await waitUntil(() => code !== undefined, { timeoutMs: 10_000 }))) {
    progress(`${what} is running, ${Math.round((Date.now() - startedAtMs) / 1000)} s`);
  }
  if (code !== 0 && isQuiet) process.stderr.write(output.slice(-8000));
  return code;
}

function progress(line) {
  process.stderr.write(`latch: ${line}\n`);
}
