import { DataSource, type EntityTarget, type ObjectLiteral } from 'typeorm';
import { InitialSchema1764500000000 } from './migrations/1764500000000-initial-schema.ts';

/**
 * A TypeORM data source over the store's database, not yet initialized: for migrations, and for a service that keeps its own tables as entities.
 * The schema is never synchronized from entities.
 */
export function createDataSource(
  databaseUrl: string,
  entities: readonly EntityTarget<ObjectLiteral>[] = [],
): DataSource {
  return new DataSource({
    type: 'postgres',
    url: databaseUrl,
    entities: entities.flatMap((entity) => (typeof entity === 'function' ? [entity] : [])),
    migrations: [InitialSchema1764500000000],
    migrationsTableName: 'schema_migrations',
    migrationsTransactionMode: 'each',
    installExtensions: false,
    synchronize: false,
  });
}
