// `npm run verify`: everything that proves a change without Kafka and Postgres. `-- --no-unit` leaves the unit tests out, where `npm test` follows.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { checkoutFolder } from './processes.mjs';

const bin = (name) => [process.execPath, path.join(checkoutFolder, 'node_modules/.bin', name)];
const bootstrap = path.join(import.meta.dirname, 'bootstrap.mjs');

const steps = [
  { name: 'format', command: [...bin('prettier'), '--check', '--log-level', 'warn', '.'], remedy: 'npm run format' },
  { name: 'lint', command: [...bin('nx'), 'run', 'latch:lint'] },
  { name: 'types', command: [...bin('nx'), 'run', 'latch:typecheck'] },
  { name: 'build', command: [process.execPath, bootstrap, 'dev:build'] },
  {
    name: 'contracts',
    command: [process.execPath, bootstrap, 'contracts', 'diff'],
    remedy: 'npm run contracts:generate',
  },
  { name: 'unit', command: [process.execPath, bootstrap, 'dev:test', 'unit'] },
];

/** Runs every step even after a failure, so that one run shows all that is wrong; ends with a summary and a non-zero exit code on a failure. */
export async function verify(args) {
  const results = [];
  for (const step of steps.filter(({ name }) => !args.includes(`--no-${name}`))) {
    process.stderr.write(`verify: ${step.name}\n`);
    results.push({ ...step, ...(await runStep(step.command)) });
  }
  for (const { name, code, seconds, remedy } of results) {
    const hint = code !== 0 && remedy ? ` (try: ${remedy})` : '';
    process.stdout.write(
      `${code === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(10)} ${seconds.toFixed(1).padStart(6)} s${hint}\n`,
    );
  }
  const failed = results.filter(({ code }) => code !== 0);
  process.stdout.write(
    failed.length === 0 ? 'verify: all good\n' : `verify: ${failed.length} of ${results.length} failed\n`,
  );
  process.exitCode = failed.length === 0 ? 0 : 1;
}

function runStep([file, ...rest]) {
  const startedAtMs = Date.now();
  const env = { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false' };
  const child = spawn(file, rest, { cwd: checkoutFolder, env, stdio: ['ignore', 2, 2] });
  return new Promise((resolve) => {
    const end = (code) => resolve({ code, seconds: (Date.now() - startedAtMs) / 1000 });
    child.once('error', () => end(-1));
    child.once('close', (code) => end(code ?? -1));
  });
}
