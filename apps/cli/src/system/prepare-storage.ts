import { createConnection } from 'node:net';
import { migrate } from '@latch/event-store';
import { KafkaBus } from '@latch/messaging';
import { createLogger } from '@latch/observability';
import { waitUntil } from '../../../../deploy/local/processes.mjs';
import { type Parts } from './start-parts.ts';
import { type SystemOptions } from './system-options.ts';

const answerTimeoutMs = 10_000;

/**
 * Brings the database schema up to date and creates the topics that are missing, before any service starts.
 *
 * @throws Error that says which address does not answer, when a given Kafka or Postgres is not there.
 */
export async function prepareStorage(options: SystemOptions, parts: Parts): Promise<void> {
  await Promise.all([prepareDatabase(options, parts), prepareTopics(options, parts)]);
}

async function prepareDatabase(options: SystemOptions, { databaseUrl, database }: Parts): Promise<void> {
  const { hostname, port } = new URL(databaseUrl);
  await assertAnswers(hostname, Number(port || 5432), `Postgres (${database.why})`);
  const applied = await migrate(options.migrationUrl ?? databaseUrl);
  if (applied.length > 0) options.onProgress(`migrations run: ${applied.join(', ')}`);
}

async function prepareTopics(options: SystemOptions, { brokers, bus }: Parts): Promise<void> {
  if (brokers.length === 0) return;
  for (const broker of brokers) {
    const { hostname, port } = new URL(`kafka://${broker}`);
    await assertAnswers(hostname, Number(port || 9092), `Kafka (${bus.why})`);
  }
  const logger = createLogger({ service: 'latch', level: 'silent' });
  const kafka = new KafkaBus({
    ...{
      brokers,
      clientId: 'latch',
      topicPrefix: options.topicPrefix,
      partitions: options.topicPartitions ?? 4,
      logger,
    },
    security: bus.kind === 'given' ? options.kafkaSecurity : undefined,
  });
  try {
    await kafka.ensureTopics();
  } finally {
    await kafka.close();
  }
}

async function assertAnswers(host: string, port: number, what: string): Promise<void> {
  if (await waitUntil(() => isConnectable(host, port), { timeoutMs: answerTimeoutMs, everyMs: 250 })) return;
  throw new Error(`${what}: nobody answers on ${host}:${port}. Start it, or correct the address.`);
}

function isConnectable(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port, timeout: 2000 });
    const end = (isOpen: boolean): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket
      .once('connect', () => end(true))
      .once('error', () => end(false))
      .once('timeout', () => end(false));
  });
}
