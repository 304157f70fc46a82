// `npm test`: unit, integration and end-to-end tests against a real Kafka and a real Postgres, which it starts on free ports and stops again.
//   npm test                    everything
//   npm test -- unit int        some suites
//   npm test -- e2e cancel      one suite, spec files whose path matches
// It ends with one line: `N passed, N failed, N skipped`.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { startKafka } from './kafka.mjs';
import { startPostgres } from './postgres.mjs';
import { checkoutFolder, freePort } from './processes.mjs';

const suites = ['unit', 'int', 'e2e'];
/**
 * Unit and integration specs run side by side: each has topics and a database of its own. Integration specs wait a good part of their time (for leases, rebalances,
 * a broker that was killed), so that three of them keep two cores busy. The end-to-end specs share one system, and kill parts of it.
 */
const sideBySide = { unit: '--maxWorkers=2', int: '--maxWorkers=3', e2e: '--runInBand' };
const folder = path.join(checkoutFolder, '.latch', 'test');

/**
 * Runs the suites named in `args` (default: all), one after the other; other words are patterns for spec paths.
 * Sets a non-zero exit code when a test failed, a spec file could not run, or no test ran at all.
 */
export async function runTests(args) {
  const chosen = suites.filter((suite) => args.includes(suite));
  const patterns = args.filter((word) => !suites.includes(word));
  mkdirSync(folder, { recursive: true });
  const parts = startedParts();
  const onSignal = (signal) => void parts.stop().finally(() => process.exit(signal === 'SIGINT' ? 130 : 143));
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  const counts = [];
  try {
    for (const suite of chosen.length > 0 ? chosen : suites) counts.push(await runSuite(suite, patterns, parts));
  } finally {
    await parts.stop();
  }
  summarize(counts);
}

/** Kafka and Postgres, started at the first need; what KAFKA_BROKERS and DATABASE_URL name is used as it is. */
function startedParts() {
  let starting;
  const running = [];
  return {
    environment: () => (starting ??= startParts(running)),
    async stop() {
      await starting?.catch(() => undefined);
      await Promise.all(running.splice(0).map((part) => part.stop()));
    },
  };
}

async function startParts(running) {
  const [kafkaPort, controllerPort, postgresPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const keep = (part) => (running.push(part), part);
  const [brokers, url] = await Promise.all([
    process.env.KAFKA_BROKERS ??
      startKafka({ folder, port: kafkaPort, controllerPort, onProgress: progress }).then((part) => keep(part).brokers),
    process.env.DATABASE_URL ??
      startPostgres({ folder, port: postgresPort, database: 'latch_test', onProgress: progress }).then(
        (part) => keep(part).url,
      ),
  ]);
  progress(`Kafka on ${brokers}, Postgres on port ${new URL(url).port}`);
  return { KAFKA_BROKERS: brokers, DATABASE_URL: url };
}

async function runSuite(suite, patterns, parts) {
  const environment = suite === 'unit' ? {} : await parts.environment();
  progress(`${suite} tests`);
  const report = path.join(folder, `${suite}.json`);
  rmSync(report, { force: true });
  const how = ['--json', '--passWithNoTests', sideBySide[suite], `--outputFile=${report}`];
  const exitCode = await jest([...how, ...patternArguments(patterns)], { ...environment, LATCH_TEST_SUFFIX: suite });
  return countsOf(suite, report, exitCode);
}

function patternArguments(patterns) {
  return patterns.length > 0 ? ['--testPathPatterns', ...patterns] : [];
}

function jest(args, environment) {
  const options = [
    '--experimental-vm-modules',
    '--no-warnings',
    path.join(checkoutFolder, 'node_modules/jest/bin/jest.js'),
  ];
  // The JSON goes to the file; what jest says to people is on stderr.
  const child = spawn(process.execPath, [...options, ...args], {
    cwd: checkoutFolder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve) => {
    child.once('error', () => resolve(-1));
    child.once('close', (code) => resolve(code ?? -1));
  });
}

/** A spec file that could not run at all has no failed test in the report; it counts as one. */
function countsOf(suite, report, exitCode) {
  try {
    const result = JSON.parse(readFileSync(report, 'utf8'));
    return {
      suite,
      exitCode,
      passed: result.numPassedTests,
      failed: result.numFailedTests + result.numRuntimeErrorTestSuites,
      skipped: result.numPendingTests + result.numTodoTests,
    };
  } catch {
    return { suite, exitCode: -1, passed: 0, failed: 1, skipped: 0 };
  }
}

function summarize(counts) {
  const sum = (name) => counts.reduce((total, count) => total + count[name], 0);
  for (const { suite, exitCode, passed, failed, skipped } of counts) {
    progress(
      `${suite}: passed ${passed}, failed ${failed}, skipped ${skipped}${exitCode === 0 ? '' : ` (exit code ${exitCode})`}`,
    );
  }
  if (sum('passed') + sum('failed') === 0) progress('no test ran: that is a failure');
  const isGood = sum('failed') === 0 && sum('passed') > 0 && counts.every(({ exitCode }) => exitCode === 0);
  process.exitCode = isGood ? 0 : 1;
  process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped\n`);
}

function progress(line) {
  process.stderr.write(`test: ${line}\n`);
}
