import { type PersonalData } from '@latch/config';
import { type Logger } from '@latch/observability';
import { Database } from './database.ts';
import { EventStore } from './event-store.ts';
import { type StoreRole } from './migrations/tenant-table.ts';
import { PersonalVault } from './personal-vault.ts';

/** How to reach the store. */
export type EventStoreOptions = {
  readonly databaseUrl: string;
  /** Name of the service: its own outbox rows, and the connection's application name. */
  readonly producer: string;
  readonly logger: Logger;
  /** @default 4 */
  readonly poolSize?: number;
  /**
   * The role of the service in Postgres: what its connections may do, and that they see only the tenants that a transaction is about. The login must be its
   * member, or own the database. Not given: the login's own rights, for tests and tools of the owner.
   */
  readonly role?: StoreRole;
  /**
   * How personal data is kept: sealed under the keys of this ring, or in the clear. A service passes what its settings say (`personalDataOf`).
   *
   * @default 'clear'
   */
  readonly personalData?: PersonalData;
};

/**
 * Opens the store, once the database answers. The schema is made by `migrate`, before.
 *
 * @throws RetryableError when the database does not answer.
 */
export async function openEventStore(options: EventStoreOptions): Promise<EventStore> {
  const database = new Database({
    databaseUrl: options.databaseUrl,
    applicationName: `latch-${options.producer}`,
    logger: options.logger,
    poolSize: options.poolSize ?? 4,
    ...(options.role && { role: options.role }),
  });
  const vault = new PersonalVault(options.personalData ?? 'clear');
  const store = new EventStore(database, options.producer, vault);
  try {
    await store.now();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}
