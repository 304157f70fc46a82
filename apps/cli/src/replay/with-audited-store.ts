import { type EventStore, openEventStore, type StoreRole } from '@latch/event-store';
import { createLogger } from '@latch/observability';
import { type CliSettings } from '../config.ts';
import { personalDataOfOperator } from '../system/data-key.ts';
import { databaseUrlOf } from '../system/database-url-of.ts';
import { systemOptionsFrom } from '../system/system-options.ts';
import { progress } from '../terminal.ts';

/**
 * Opens the event store for a replay and closes it afterwards. The connection has the auditor's role: it sees every tenant and can write nothing, whatever the
 * replay does (invariant I21).
 *
 * @throws Error when no database is named and nothing runs here.
 */
export async function withAuditedStore<T>(
  settings: CliSettings,
  work: (store: EventStore) => Promise<T>,
  role: StoreRole = 'latch_auditor',
): Promise<T> {
  const { stateFolder } = systemOptionsFrom(settings, progress);
  const store = await openEventStore({
    databaseUrl: databaseUrlOf(settings, stateFolder),
    producer: 'latch-replay',
    logger: createLogger({ service: 'latch', level: 'silent' }),
    poolSize: 3,
    role,
    personalData: personalDataOfOperator(stateFolder),
  });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
