// `npm run bench [-- <words of a path> [-- arguments]]`: runs the benchmarks of the repository (`*.bench.ts` built, `bench/*.bench.mjs`), one after the other.
// A benchmark gets the arguments after `--`; one that measures Postgres or Kafka gets DATABASE_URL or KAFKA_BROKERS where none is given, and is left out without.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { checkoutFolder } from './processes.mjs';

/** What a benchmark needs from the environment as its first argument, told by what its source mentions. */
const needs = [
  { mark: /databaseUrl/, variable: 'DATABASE_URL' },
  { mark: /brokers/, variable: 'KAFKA_BROKERS' },
];

/** Runs every benchmark whose path holds all words; ends with a non-zero exit code when one fails or none is found. */
export async function bench(args) {
  const end = args.indexOf('--');
  const words = end < 0 ? args : args.slice(0, end);
  const own = end < 0 ? [] : args.slice(end + 1);
  const chosen = benchmarks().filter(({ file }) => words.every((word) => file.includes(word)));
  if (chosen.length === 0)
    throw new Error(`No benchmark's path holds "${words.join(' ')}". There are:\n${listOf(benchmarks())}`);
  for (const { file, need } of chosen) {
    process.stdout.write(`\n${file}\n`);
    const argument = need ? process.env[need] : undefined;
    if (need && !argument && own.length === 0) process.stdout.write(`  left out: it needs ${need}\n`);
    else await run(file, own.length > 0 ? own : [argument].filter(Boolean));
  }
}

function benchmarks() {
  const rooms = ['apps', 'libs'].flatMap((kind) => namesIn(kind).map((name) => path.join(kind, name)));
  const built = rooms.flatMap((room) => filesIn(path.join(room, 'dist'), '.bench.js')).filter(hasSource);
  const plain = rooms.flatMap((room) => filesIn(path.join(room, 'bench'), '.bench.mjs'));
  return [...built, ...plain].sort().map((file) => ({ file, need: needOf(file) }));
}

function filesIn(folder, ending) {
  if (!existsSync(path.join(checkoutFolder, folder))) return [];
  return namesIn(folder, { recursive: true })
    .filter((name) => name.endsWith(ending))
    .map((name) => path.join(folder, name));
}

function namesIn(folder, options) {
  return readdirSync(path.join(checkoutFolder, folder), options);
}

/** A build keeps what it once made of a source that is gone. */
function hasSource(file) {
  return existsSync(path.join(checkoutFolder, file.replace('/dist/', '/src/').replace(/\.js$/, '.ts')));
}

function needOf(file) {
  const text = readFileSync(path.join(checkoutFolder, file), 'utf8');
  return needs.find(({ mark }) => mark.test(text))?.variable;
}

/** Flags of Node that a benchmark wants, as a line of its own: `// node --flag`. */
function flagsOf(file) {
  const text = readFileSync(path.join(checkoutFolder, file), 'utf8');
  return /^\/\/ node (--\S.*)$/m.exec(text)?.[1]?.trim().split(' ') ?? [];
}

function listOf(all) {
  return all.map(({ file }) => `  ${file}`).join('\n');
}

function run(file, args) {
  const child = spawn(process.execPath, [...flagsOf(file), path.join(checkoutFolder, file), ...args], {
    stdio: 'inherit',
  });
  return new Promise((resolve) => {
    child.once('close', (code) => {
      if (code !== 0) process.exitCode = 1;
      resolve();
    });
  });
}
