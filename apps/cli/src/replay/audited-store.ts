import { personalDataSettings, readEnvironment } from '@latch/config';
import { type EventStore, openEventStore, type StoreRole } from '@latch/event-store';
import { createLogger } from '@latch/observability';
import { type CliSettings } from '../config.ts';
import { findRunningSystem } from '../system/running-file.ts';
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
  const store = await openEventStore({
    databaseUrl: databaseUrlOf(settings),
    producer: 'latch-replay',
    logger: createLogger({ service: 'latch', level: 'silent' }),
    poolSize: 3,
    role,
    ...personalDataOfEnvironment(),
  });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

function databaseUrlOf(settings: CliSettings): string {
  if (settings.DATABASE_URL !== undefined) return settings.DATABASE_URL;
  const { stateFolder } = systemOptionsFrom(settings, progress);
  const database = findRunningSystem(stateFolder)?.database;
  if (database?.kind === 'local') return `postgres://latch@${database.where}`;
  throw new Error('no event store: set DATABASE_URL, or start the system here with `npm start`');
}

/** The key ring that is there; without one, reading something that is sealed says which key is missing. */
function personalDataOfEnvironment(): Pick<Parameters<typeof openEventStore>[0], 'personalData'> {
  const read = readEnvironment(personalDataSettings);
  if (!read.ok) throw new Error(read.error);
  return { personalData: read.value.LATCH_DATA_KEY ?? 'clear' };
}
