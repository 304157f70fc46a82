// A real local Apache Kafka (KRaft, one node): fetched from Maven Central once per checkout, started, stopped, reported.
//   node deploy/local/kafka.mjs fetch|start|stop|status [--folder .latch] [--port 9092] [--controller-port 9093]
// Settings and figures: docs/adr/0002-real-kafka-from-maven-central.md.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
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
  lastLines,
  run,
  runScript,
  startInBackground,
  stopProcess,
  waitUntil,
  withLock,
} from './processes.mjs';

const pom = path.join(import.meta.dirname, 'kafka', 'pom.xml');
/** The version of the broker; the pom is the one place that names it. */
export const kafkaVersion = /<kafka\.version>(.+?)<\/kafka\.version>/.exec(readFileSync(pom, 'utf8'))[1];
const partsFolder = path.join(checkoutFolder, '.latch', 'parts');
const jarsFolder = path.join(partsFolder, `kafka-${kafkaVersion}`);
const defaults = {
  folder: path.join(checkoutFolder, '.latch'),
  port: 9092,
  controllerPort: 9093,
  heapMb: 512,
  onProgress: () => undefined,
};

/**
 * Whether this machine can run the local Kafka, without starting anything.
 *
 * @returns `ok: false` with a sentence that says what to install.
 */
export function canRunKafka() {
  const java = javaMajor();
  if (java === undefined)
    return { ok: false, reason: 'Java is not installed: install a Java runtime, version 17 or later.' };
  if (java < 17)
    return { ok: false, reason: `Java ${java} is too old for Kafka ${kafkaVersion}: install Java 17 or later.` };
  if (existsSync(jarsFolder)) return { ok: true, reason: `Java ${java}, Kafka ${kafkaVersion} already fetched` };
  if (spawnSync('mvn', ['-v'], { stdio: 'ignore' }).status !== 0) {
    return {
      ok: false,
      reason: 'Maven is not installed: install Apache Maven (mvn); it fetches Kafka from Maven Central.',
    };
  }
  return { ok: true, reason: `Java ${java} and Maven` };
}

/**
 * Starts the broker of `folder`, or finds it running. It outlives this process; its data is kept between starts.
 *
 * @param folder where data, log and pid file go (in its `kafka` folder). Default: `.latch` of the checkout.
 * @param heapMb cap of the Java heap.
 * @param security listeners, properties and users of a secured broker (`kafka-security.mjs`). Default: everybody may do everything, over loopback.
 * @param onProgress called with one line per step.
 * @throws Error with a sentence that says what to do: no Java or Maven, a port taken, no start within 60 s.
 */
export async function startKafka(options = {}) {
  const settings = settingsOf(options);
  const able = canRunKafka();
  if (!able.ok) throw new Error(`Local Kafka: ${able.reason}`);
  await fetchKafka(settings);
  const pid = await withLock(path.join(settings.home, 'start.lock'), {}, () => findOrStart(settings));
  return {
    brokers: `127.0.0.1:${settings.port}`,
    pid,
    version: kafkaVersion,
    logFile: settings.logFile,
    stop: () => stopKafka(settings),
  };
}

/** Stops the broker of `folder` cleanly; nothing happens when none runs. @returns whether one ran. */
export async function stopKafka(options = {}) {
  const settings = settingsOf(options);
  const running = runningBroker(settings);
  if (running) await stopProcess(running.pid);
  rmSync(settings.pidFile, { force: true });
  return running !== undefined;
}

/** The broker that runs in `folder`: pid and ports; undefined when there is none. */
export function kafkaStatus(options = {}) {
  const running = runningBroker(settingsOf(options));
  return running && { ...running, brokers: `127.0.0.1:${running.port}`, version: kafkaVersion };
}

/**
 * Fetches the jars into the checkout's `.latch/parts`, once: made in a folder of its own and renamed when complete, so that a broken download is
 * never taken for a whole one, and two commands at once do no harm.
 *
 * @returns the folder of the jars.
 */
export async function fetchKafka({ onProgress = defaults.onProgress } = {}) {
  if (existsSync(jarsFolder)) return jarsFolder;
  const onWait = (owner) => onProgress(`Kafka ${kafkaVersion} is being fetched by process ${owner}, waiting`);
  return withLock(`${jarsFolder}.lock`, { timeoutMs: 600_000, onWait }, async () => {
    if (existsSync(jarsFolder)) return jarsFolder;
    onProgress(`fetching Kafka ${kafkaVersion} from Maven Central (44 MB, once)`);
    for (const name of readdirSync(partsFolder)) {
      if (name.startsWith(`kafka-${kafkaVersion}.partial`)) rmSync(path.join(partsFolder, name), { recursive: true });
    }
    const partial = `${jarsFolder}.partial-${process.pid}`;
    const args = ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${partial}`];
    const { code, output } = await run('mvn', args, { timeoutMs: 580_000 });
    if (code !== 0)
      throw new Error(
        `Local Kafka: Maven could not fetch it. Check the network and try again. Maven says:\n${output.slice(-1500)}`,
      );
    renameSync(partial, jarsFolder);
    return jarsFolder;
  });
}

function settingsOf(options) {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const settings = { ...defaults, ...given };
  mkdirSync(settings.folder, { recursive: true });
  const home = path.join(realpathSync(settings.folder), 'kafka');
  return {
    ...settings,
    home,
    dataFolder: path.join(home, 'data'),
    properties: path.join(home, 'server.properties'),
    pidFile: path.join(home, 'kafka.pid.json'),
    logFile: path.join(home, 'kafka.log'),
  };
}

async function findOrStart(settings) {
  const running = runningBroker(settings);
  if (running && running.port === settings.port && (await isWell(running))) return running.pid;
  if (running) {
    settings.onProgress(
      `stopping the Kafka of this folder (pid ${running.pid}, port ${running.port}): other port, or not answering`,
    );
    await stopProcess(running.pid);
  }
  await assertPortIsFree(settings.port, { of: 'Local Kafka', option: '--port / port' });
  await assertPortIsFree(settings.controllerPort, {
    of: 'Local Kafka controller',
    option: '--controller-port / controllerPort',
  });
  mkdirSync(settings.home, { recursive: true });
  writeFileSync(settings.properties, serverProperties(settings));
  await formatOnce(settings);
  return startBroker(settings);
}

/** Twice: a broker that was killed with -9 a moment ago may still accept a connection. */
async function isWell({ pid, port }) {
  if (!(await isAccepting(port))) return false;
  await sleep(300);
  return isAlive(pid) && (await isAccepting(port));
}

function runningBroker(settings) {
  try {
    const saved = JSON.parse(readFileSync(settings.pidFile, 'utf8'));
    return isAlive(saved.pid) && commandOf(saved.pid).includes(settings.properties) ? saved : undefined;
  } catch {
    return undefined;
  }
}

/** A data folder is formatted once. What a kill in the middle of it left holds no messages, so it is made anew. */
async function formatOnce({ dataFolder, home, properties, security, onProgress }) {
  const done = path.join(home, 'formatted');
  if (existsSync(done) && existsSync(path.join(dataFolder, 'meta.properties'))) return;
  onProgress('formatting the data folder of Kafka');
  rmSync(dataFolder, { recursive: true, force: true });
  const clusterId = `L${randomBytes(16).toString('base64url').slice(1)}`;
  const args = ['-Xmx256m', '-cp', classpath(), 'kafka.tools.StorageTool', 'format', '-t', clusterId, '-c', properties];
  const { code, output } = await run('java', [...args, ...(security?.formatArgs ?? [])], { timeoutMs: 60_000 });
  if (code !== 0)
    throw new Error(
      `Local Kafka: the data folder ${dataFolder} could not be formatted. Kafka says:\n${output.slice(-1500)}`,
    );
  writeFileSync(done, `${clusterId}\n`);
}

async function startBroker(settings) {
  const { port, controllerPort, heapMb, logFile, properties, pidFile, onProgress } = settings;
  onProgress(`starting Kafka ${kafkaVersion} on 127.0.0.1:${port}`);
  const heap = [`-Xms${Math.min(256, heapMb)}m`, `-Xmx${heapMb}m`, '-XX:+UseSerialGC', '-XX:+ExitOnOutOfMemoryError'];
  const child = startInBackground('java', [...heap, '-cp', classpath(), 'kafka.Kafka', properties], {
    logFile,
    cwd: settings.home,
  });
  writeFileSync(pidFile, JSON.stringify({ pid: child.pid, port, controllerPort }));
  const timeoutMs = 60_000;
  await waitUntil(async () => !isAlive(child.pid) || (await isAccepting(port)), { timeoutMs });
  if (isAlive(child.pid) && (await isAccepting(port))) return child.pid;
  const how = isAlive(child.pid) ? `did not open port ${port} within ${timeoutMs / 1000} s` : 'ended at once';
  await stopProcess(child.pid, { graceMs: 2000 });
  rmSync(pidFile, { force: true });
  throw new Error(
    `Local Kafka ${how}. Its log is ${logFile}; if its data is damaged, delete ${settings.home} and start again. Last lines:\n${lastLines(logFile)}`,
  );
}

function classpath() {
  return path.join(jarsFolder, '*');
}

function javaMajor() {
  const { status, stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  const version = status === 0 ? /version "(?:1\.)?(\d+)/.exec(stderr) : null;
  return version ? Number(version[1]) : undefined;
}

function serverProperties({ port, controllerPort, dataFolder, security }) {
  const listeners = security?.listeners(port) ?? [`PLAINTEXT://127.0.0.1:${port}`];
  return `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controllerPort}
listeners=${[...listeners, `CONTROLLER://127.0.0.1:${controllerPort}`].join(',')}
advertised.listeners=${listeners.join(',')}
controller.listener.names=CONTROLLER
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,SASL_SSL:SASL_SSL,SSL:SSL,CONTROLLER:PLAINTEXT
log.dirs=${dataFolder}
# Topics are made explicitly, with their partitions; a misspelled name is an error and not a topic.
auto.create.topics.enable=false
# One node: every internal topic has one copy.
offsets.topic.replication.factor=1
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=4
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
# A first member joins at once (default 3 s), and a broker killed with -9 is back after 5 s (default 13 s).
group.initial.rebalance.delay.ms=0
broker.session.timeout.ms=2000
broker.heartbeat.interval.ms=500
${security?.properties ?? ''}`;
}

if (process.argv[1] && realpathSync(process.argv[1]) === import.meta.filename) {
  await runScript(
    {
      fetch: async (options) => `Kafka ${kafkaVersion} is in ${await fetchKafka(options)}`,
      start: async (options) => {
        const { brokers, pid, version, logFile } = await startKafka(options);
        return `Kafka ${version} runs on ${brokers} (pid ${pid}, log ${logFile})`;
      },
      stop: async (options) => ((await stopKafka(options)) ? 'Kafka stopped' : 'Kafka was not running'),
      status: (options) => {
        const running = kafkaStatus(options);
        if (!running) process.exitCode = 3;
        return running
          ? `Kafka ${running.version} runs on ${running.brokers} (pid ${running.pid})`
          : 'Kafka is not running';
      },
    },
    'Usage: node deploy/local/kafka.mjs fetch|start|stop|status [--folder .latch] [--port 9092] [--controller-port 9093] [--heap-mb 512]',
  );
}
