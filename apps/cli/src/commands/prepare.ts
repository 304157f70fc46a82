import { type CliSettings } from '../config.ts';
import { prepareStorage } from '../system/prepare-storage.ts';
import { startOptionsFrom } from '../system/system-options.ts';
import { print, progress } from '../terminal.ts';

/** `latch prepare`: migrations and topics of a given Postgres and Kafka, once, before the services of an installation start. */
export async function prepare(settings: CliSettings): Promise<void> {
  const options = startOptionsFrom(settings, progress);
  if (options.databaseUrl === undefined || options.brokers.length === 0) {
    throw new Error(
      'Set DATABASE_URL and KAFKA_BROKERS: `latch prepare` is for an installation that has both already.',
    );
  }
  const why = 'named by the environment';
  await prepareStorage(options, {
    bus: { kind: 'given', where: options.brokers.join(','), why },
    database: { kind: 'given', where: '', why },
    brokers: options.brokers,
    databaseUrl: options.databaseUrl,
  });
  print('the database schema is up to date and the topics exist');
}
