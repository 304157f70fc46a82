import { type CliSettings } from '../config.ts';
import { withAuditedStore } from '../replay/with-audited-store.ts';
import { type StoreToAsk } from './check-with-store.ts';

/**
 * Opens the event store to ask it about letters. The auditor may read every tenant, and not which calls were approved under an id that a message names; the
 * operator's role may. What is asked only reads.
 */
export function withStoreToAsk<T>(settings: CliSettings, work: (store: StoreToAsk) => Promise<T>): Promise<T> {
  return withAuditedStore(settings, work, 'latch_maintenance');
}
