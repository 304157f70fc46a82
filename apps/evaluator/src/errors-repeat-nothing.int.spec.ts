import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '@latch/event-store';
import { MemoryBus } from '@latch/messaging';
import { createLogger, type RunningService } from '@latch/observability';
import { echoesIn, freshDatabase, type FreshDatabase, tellTalesIn, testDataKey } from '@latch/testing';
import { evaluatorSettings } from './config.ts';
import { openApiDocument } from './openapi.ts';
import { startEvaluator } from './start.ts';

/** Invariant I16 for refusals and failures: what a caller put into path, query or header by mistake comes back in no error, and stands in no log. */
let database: FreshDatabase;
let bus: MemoryBus;
let service: RunningService;
const logLines: string[] = [];

beforeAll(async () => {
  database = await freshDatabase();
  await migrate(database.url);
  const logger = createLogger({ service: 'evaluator', destination: { write: (line) => logLines.push(line) } });
  bus = new MemoryBus({ partitions: 2, logger });
  const settings = evaluatorSettings.parse({
    ...{ DATABASE_URL: database.url, LATCH_DATA_KEY: testDataKey, LATCH_BUS: 'memory', LATCH_HTTP_PORT: '0' },
  });
  service = await startEvaluator(settings, { bus, logger });
}, 60_000);
afterAll(async () => {
  await service.stop();
  await bus.close();
  await database.drop();
});

describe('an error of the evaluator', () => {
  it('repeats nothing of a person or a credential, wherever the caller put it', async () => {
    const { refused, echoes } = await echoesIn({ url: service.url, document: openApiDocument() });
    expect(echoes).toEqual([]);
    expect(Object.keys(refused)).toEqual(expect.arrayContaining(['404', '422']));
    expect(tellTalesIn(logLines.join('\n'))).toEqual([]);
  }, 120_000);
});
