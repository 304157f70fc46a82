// Jest runs this once before all end-to-end specs: the whole system, as `npm start` runs it, on ports, topics and a database of its own.
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { freePorts, startSystem } from '@latch/cli';
import { freshDatabase, testDataKey } from '@latch/testing';

const checkout = path.resolve(import.meta.dirname, '../..');

/** Starts the system and tells the specs, through the environment, where its state file is. */
export default async function setup() {
  const brokers = (process.env.KAFKA_BROKERS ?? '').split(',').filter((broker) => broker !== '');
  const database = process.env.DATABASE_URL ? await freshDatabase() : undefined;
  const topicPrefix = `e2e-${randomBytes(4).toString('hex')}.`;
  // Signed throughout; specs that put bytes into a topic past every check of ours are let in, unless they claim to be signed.
  process.env.LATCH_BUS_KEY ??= testDataKey;
  process.env.LATCH_BUS_UNSIGNED ??= 'accept';
  const stateFolder = path.join(checkout, '.latch', 'test', 'e2e');
  const outcome = await startSystem({
    stateFolder,
    ports: await freePorts(),
    brokers,
    kafka: 'local',
    databaseUrl: database?.url,
    mode: 'processes',
    configFolder: path.join(checkout, 'deploy', 'config'),
    topicPrefix,
    onProgress: (line) => process.stderr.write(`e2e: ${line}\n`),
  });
  if (outcome.kind === 'already_running') {
    throw new Error(`End-to-end tests run here already (supervisor pid ${outcome.state.supervisor.pid}).`);
  }
  process.env.LATCH_E2E_STATE_DIR = stateFolder;
  process.env.LATCH_E2E_TOPIC_PREFIX = topicPrefix;
  globalThis.latchEndToEnd = { system: outcome.system, database };
}
