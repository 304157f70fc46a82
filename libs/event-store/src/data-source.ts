import { type Logger } from '@latch/observability';
import { type DataSource, type MigrationInterface } from 'typeorm';
import { InitialSchema1764500000000 } from './migrations/1764500000000-initial-schema.ts';
import { InboxByAge1764600000000 } from './migrations/1764600000000-inbox-by-age.ts';
import { RolesAndTenants1765000000000 } from './migrations/1765000000000-roles-and-tenants.ts';
import { EventsByMonth1765001000000 } from './migrations/1765001000000-events-by-month.ts';
import { SealedHeads1765002000000 } from './migrations/1765002000000-sealed-heads.ts';
import { TransactionsByStream1765003000000 } from './migrations/1765003000000-transactions-by-stream.ts';
import { AttemptsOfSteps1765100000000 } from './migrations/1765100000000-attempts-of-steps.ts';
import { ToolCatalogue1765110000000 } from './migrations/1765110000000-tool-catalogue.ts';
import { PersonKeys1765200000000 } from './migrations/1765200000000-person-keys.ts';
import { EvidenceReads1765300000000 } from './migrations/1765300000000-evidence-reads.ts';
import { OpenTransactions1765500000000 } from './migrations/1765500000000-open-transactions.ts';
import { CompactRows1766000000000 } from './migrations/1766000000000-compact-rows.ts';
import { type StoreRole } from './migrations/tenant-table.ts';

/** An entity class of TypeORM. */
export type EntityClass = new () => object;

/** What a service that keeps tables of its own says of its data source. */
export type DataSourceOptions = {
  readonly entities: readonly EntityClass[];
  /** Name of the connections in `pg_stat_activity`. */
  readonly applicationName: string;
  readonly logger: Logger;
  /** @default 4 */
  readonly poolSize?: number;
  /** The role of the service: its transactions see the tenants that they set (`app.tenants`), and nothing else. */
  readonly role: StoreRole;
};

/**
 * A TypeORM data source over the store's database, not yet initialized: for a service that keeps its own tables as entities (off the hot path). The schema is
 * never synchronized from entities; it is made by `migrate`.
 */
export async function createDataSource(databaseUrl: string, options: DataSourceOptions): Promise<DataSource> {
  const typeorm = await loadTypeorm();
  return new typeorm.DataSource({
    type: 'postgres',
    url: databaseUrl,
    applicationName: options.applicationName,
    entities: [...options.entities],
    poolSize: options.poolSize ?? 4,
    connectTimeoutMS: 5_000,
    extra: {
      statement_timeout: 15_000,
      lock_timeout: 10_000,
      idle_in_transaction_session_timeout: 30_000,
      options: `-c role=${options.role}`,
    },
    poolErrorHandler: (error: unknown) => options.logger.warn('database.idle_connection_lost', { error }),
    installExtensions: false,
    synchronize: false,
    logging: false,
  });
}

const migrations: readonly (new () => MigrationInterface)[] = [
  InitialSchema1764500000000,
  InboxByAge1764600000000,
  RolesAndTenants1765000000000,
  EventsByMonth1765001000000,
  SealedHeads1765002000000,
  TransactionsByStream1765003000000,
  AttemptsOfSteps1765100000000,
  ToolCatalogue1765110000000,
  PersonKeys1765200000000,
  EvidenceReads1765300000000,
  OpenTransactions1765500000000,
  CompactRows1766000000000,
];

/**
 * The data source that runs the migrations, each in a transaction of its own.
 *
 * @param upTo number of the last migration to run, for tests that begin at a released schema. @default all
 */
export async function createMigrationSource(databaseUrl: string, upTo = Number.POSITIVE_INFINITY): Promise<DataSource> {
  const typeorm = await loadTypeorm();
  return new typeorm.DataSource({
    type: 'postgres',
    url: databaseUrl,
    applicationName: 'latch-migrate',
    migrations: migrations.filter(({ name }) => Number(name.slice(-13)) <= upTo),
    migrationsTableName: 'schema_migrations',
    migrationsTransactionMode: 'each',
    installExtensions: false,
    synchronize: false,
    logging: false,
  });
}

/** Loaded when it is used: it costs half a second of CPU, and neither the hot path nor a worker of a replay has a use for it. */
function loadTypeorm(): Promise<typeof import('typeorm')> {
  return import('typeorm');
}
