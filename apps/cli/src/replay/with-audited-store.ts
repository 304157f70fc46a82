import { type EventStore, type StoreRole } from '@latch/event-store';
import { type CliSettings } from '../config.ts';
import { personalDataOfOperator } from '../system/data-key.ts';
import { databaseUrlOf } from '../system/database-url-of.ts';
import { systemOptionsFrom } from '../system/system-options.ts';
import { progress } from '../terminal.ts';
import { openAuditedStore, type StoreAccess } from './open-audited-store.ts';

/**
 * Opens the event store and closes it afterwards. A replay has the auditor's role: it sees every tenant and can write nothing, whatever the replay does
 * (invariant I21). Another role is for who must ask what the auditor may not read.
 *
 * @throws Error when no database is named and nothing runs here.
 */
export async function withAuditedStore<T>(
  settings: CliSettings,
  work: (store: EventStore, access: StoreAccess) => Promise<T>,
  role: StoreRole = 'latch_auditor',
): Promise<T> {
  const { stateFolder } = systemOptionsFrom(settings, progress);
  const databaseUrl = databaseUrlOf(settings, stateFolder);
  const access = { databaseUrl, personalData: personalDataOfOperator(stateFolder) };
  const store = await openAuditedStore(access, role);
  try {
    return await work(store, access);
  } finally {
    await store.close();
  }
}
