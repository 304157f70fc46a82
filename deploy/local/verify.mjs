// `npm run verify`: everything that proves a change without Kafka and Postgres. `-- --no-unit` leaves the unit tests out, where `npm test` follows.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { checkoutFolder } from './processes.mjs';

const bin = (name) => [process.execPath, path.join(checkoutFolder, 'node_modules/.bin', name)];
const bootstrap = path.join(import.meta.dirname, 'bootstrap.mjs');

/** Steps of one row follow each other; the rows run side by side, since a compiler or a formatter keeps one core busy. The unit tests take all cores, and come last. */
const rows = [
  [
    { name: 'lint', command: [...bin('nx'), 'run', 'latch:lint'] },
    { name: 'types', command: [...bin('nx'), 'run', 'latch:typecheck'] },
  ],
  [
    { name: 'build', command: [process.execPath, bootstrap, 'dev:build'] },
    { name: 'format', command: [...bin('prettier'), '--check', '--log-level', 'warn', '.'], remedy: 'npm run format' },
    {
      name: 'contracts',
      command: [process.execPath, bootstrap, 'contracts', 'diff'],
      remedy: 'npm run contracts:generate',
    },
  ],
];
const unit = { name: 'unit', command: [process.execPath, bootstrap, 'dev:test', 'unit'], isAlone: true };

/** Runs every step even after a failure, so that one run shows all that is wrong; ends with a summary and a non-zero exit code on a failure. */
export async function verify(args) {
  const results = (await Promise.all(rows.map((row) => runRow(row, args)))).flat();
  results.push(...(await runRow([unit], args)));
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

async function runRow(steps, args) {
  const results = [];
  for (const step of steps.filter(({ name }) => !args.includes(`--no-${name}`))) {
    process.stderr.write(`verify: ${step.name} begins\n`);
    const { output, ...ended } = await runStep(step);
    process.stderr.write(`${output}verify: ${step.name} ended\n`);
    results.push({ ...step, ...ended });
  }
  return results;
}

/** What a step says beside which another runs is shown in one piece when it has ended. */
function runStep({ command: [file, ...rest], isAlone = false }) {
  const startedAtMs = Date.now();
  const env = { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false' };
  const stdio = isAlone ? ['ignore', 2, 2] : ['ignore', 'pipe', 'pipe'];
  const child = spawn(file, rest, { cwd: checkoutFolder, env, stdio });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (output += text));
  return new Promise((resolve) => {
    const end = (code) => resolve({ code, seconds: (Date.now() - startedAtMs) / 1000, output });
    child.once('error', (error) => ((output += `${error.message}\n`), end(-1)));
    child.once('close', (code) => end(code ?? -1));
  });
}
