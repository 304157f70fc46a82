import { kafkaStatus } from '../../../../deploy/local/kafka.mjs';
import { postgresStatus } from '../../../../deploy/local/postgres.mjs';
import { type Parts, startLocalKafka, startLocalPostgres } from './start-parts.ts';
import { type SystemOptions } from './system-options.ts';

type Watched = { readonly name: string; isRunning(): boolean; start(): Promise<unknown> };

const lookEveryMs = 1000;

/**
 * Starts the local Kafka or Postgres again when it dies; the services wait for it meanwhile. Only what was started here is watched.
 *
 * @returns how to stop watching.
 */
export function watchParts(options: SystemOptions, parts: Parts): () => void {
  const watched = watchedParts(options, parts);
  const busy = new Set<Watched>();
  const timer = setInterval(() => {
    for (const part of watched.filter((candidate) => !busy.has(candidate) && !candidate.isRunning())) {
      busy.add(part);
      void startAgain(part, options).finally(() => busy.delete(part));
    }
  }, lookEveryMs);
  return () => clearInterval(timer);
}

function watchedParts(options: SystemOptions, parts: Parts): readonly Watched[] {
  const folder = options.stateFolder;
  const kafka = {
    name: 'Kafka',
    isRunning: () => kafkaStatus({ folder }) !== undefined,
    start: () => startLocalKafka(options),
  };
  const postgres = {
    name: 'Postgres',
    isRunning: () => postgresStatus({ folder }) !== undefined,
    start: () => startLocalPostgres(options),
  };
  return [...(parts.bus.kind === 'local' ? [kafka] : []), ...(parts.database.kind === 'local' ? [postgres] : [])];
}

async function startAgain(part: Watched, options: SystemOptions): Promise<void> {
  options.onProgress(`${part.name} ended unasked; it is started again`);
  try {
    await part.start();
    options.onProgress(`${part.name} is back`);
  } catch (error) {
    options.onProgress(error instanceof Error ? error.message : String(error));
  }
}
