import { type PersonalData } from '@latch/config';
import { type Logger } from '@latch/observability';
import { Database } from './database.ts';
import { PersonalVault } from './personal-vault.ts';
import { type StoreRole } from './migrations/tenant-table.ts';

/** The operator's hand on the store: it erases people, exchanges keys, and sees every tenant. */
export type Maintenance = {
  readonly database: Database;
  readonly vault: PersonalVault;
  close(): Promise<void>;
};

/** How the operator reaches the store. */
export type MaintenanceOptions = {
  readonly databaseUrl: string;
  readonly personalData: PersonalData;
  readonly logger: Logger;
  /** @default 'latch_maintenance' */
  readonly role?: StoreRole;
};

/** Opens the store for the operator. The login must be a member of `latch_maintenance`, or own the database. */
export function openMaintenance({ databaseUrl, personalData, logger, role }: MaintenanceOptions): Maintenance {
  const database = new Database({
    databaseUrl,
    applicationName: 'latch-maintenance',
    logger,
    poolSize: 2,
    role: role ?? 'latch_maintenance',
  });
  return { database, vault: new PersonalVault(personalData), close: () => database.close() };
}
