import { databaseSettings, listSetting, readEnvironment } from '@latch/config';
import { z } from 'zod';

const BrokerSettings = z.object({ KAFKA_BROKERS: listSetting() });

const howToGetThem =
  'Integration tests need a real Kafka and Postgres. Run "npm test", which starts both, or start them yourself: ' +
  '"node deploy/local/kafka.mjs start" and "node deploy/local/postgres.mjs start", then set ' +
  'KAFKA_BROKERS=127.0.0.1:9092 and DATABASE_URL=postgres://latch@127.0.0.1:5432/latch.';

/** The brokers of the test Kafka. @throws Error that says how to get one, when `KAFKA_BROKERS` is not set. */
export function testBrokers(): readonly string[] {
  const read = readEnvironment(BrokerSettings);
  if (!read.ok || read.value.KAFKA_BROKERS.length === 0) throw new Error(`KAFKA_BROKERS is not set. ${howToGetThem}`);
  return read.value.KAFKA_BROKERS;
}

/** The URL of the test Postgres. @throws Error that says how to get one, when `DATABASE_URL` is not set. */
export function testDatabaseUrl(): string {
  const read = readEnvironment(databaseSettings);
  if (!read.ok) throw new Error(`DATABASE_URL is not set. ${howToGetThem}`);
  return read.value.DATABASE_URL;
}
