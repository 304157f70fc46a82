import { writeFile } from 'node:fs/promises';
import { createLogger } from '@latch/observability';
import { Database } from './database.ts';
import { describeSchema } from './describe-schema.ts';
import { migrate } from './migrate.ts';

/**
 * Writes `schema.sql` anew after a migration was added: `node libs/event-store/dist/write-schema.js postgres://... libs/event-store/src/schema.sql`, with
 * an empty database.
 */
const [databaseUrl = '', file = ''] = process.argv.slice(2);
const logger = createLogger({ service: 'write-schema' });
await migrate(databaseUrl);
const database = new Database({ databaseUrl, applicationName: 'latch-write-schema', logger, poolSize: 1 });
await writeFile(file, await describeSchema(database.sql));
await database.close();
logger.info('schema.written', { file });
