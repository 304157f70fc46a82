import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { platformVersion } from '@latch/contracts';
import { OperationsController } from '@latch/observability';
import { eventually, operationsOf, routesOf } from '@latch/testing';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { z } from 'zod';
import { consoleControllers } from './console.module.ts';
import { openApiDocument } from './openapi.ts';
import { alarmSignal, deadLetter, openTestConsole, storeOf, type TestConsole } from './test-console.features.ts';

const Content = z.record(z.string(), z.object({ schema: z.record(z.string(), z.unknown()) }));
const Document = z.object({
  info: z.object({ version: z.string() }),
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({ operationId: z.string(), responses: z.record(z.string(), z.object({ content: Content })) }),
    ),
  ),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});
const document = Document.parse(openApiDocument());

describe('the OpenAPI document of the console', () => {
  it('is valid OpenAPI 3.1, of this version', async () => {
    const validator = new Validator();
    expect(await validator.validate(openApiDocument())).toEqual({ valid: true });
    expect([validator.version, document.info.version]).toEqual(['3.1', platformVersion]);
  });

  it('describes every route that is served, and no other', () => {
    expect(operationsOf(openApiDocument())).toEqual(routesOf([...consoleControllers, OperationsController]));
  });

  it('describes nothing but reads', () => {
    expect(
      Object.values(document.paths)
        .flatMap((item) => Object.keys(item))
        .filter((method) => method !== 'get'),
    ).toEqual([]);
  });
});

describe('what the console answers', () => {
  let console: TestConsole;
  beforeAll(async () => {
    const before = [alarmSignal('one'), deadLetter('{')];
    console = await openTestConsole({ store: storeOf({ said: 'oi', answered: 'Olá!' }), before });
    await eventually(async () => {
      const overview = await (await console.get('/v1/overview?tenant_id=unknown')).json();
      expect(overview).toMatchObject({ dead_letters: 1 });
    });
  });
  afterAll(() => console.close());

  const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
  ajv.addSchema({ $id: 'urn:latch:openapi', components: openApiDocument()['components'] });

  /** The schema that the document gives for an answer. */
  function schemaFor(path: string, status: number, type: string): object | undefined {
    const schema = document.paths[path]?.['get']?.responses[status]?.content[type]?.schema;
    return schema && JSON.parse(JSON.stringify(schema).replaceAll('#/components', 'urn:latch:openapi#/components'));
  }

  const key = 'acme%3Aretail_orders%3As-1';
  it.each([
    ['/v1/overview', '/v1/overview?tenant_id=acme', 200],
    ['/v1/alarms', '/v1/alarms?tenant_id=acme', 200],
    ['/v1/dead-letters', '/v1/dead-letters?tenant_id=unknown', 200],
    ['/v1/transactions', '/v1/transactions?tenant_id=acme', 200],
    ['/v1/transactions/{transaction_id}', '/v1/transactions/t-1?tenant_id=acme', 200],
    ['/v1/transactions/{transaction_id}', '/v1/transactions/t-2?tenant_id=acme', 404],
    ['/v1/conversations/{key}', `/v1/conversations/${key}`, 200],
    ['/v1/conversations/{key}', '/v1/conversations/none', 404],
    ['/v1/conversations/{key}/events', `/v1/conversations/${key}/events`, 200],
    ['/v1/conversations/{key}/checkpoint', `/v1/conversations/${key}/checkpoint`, 200],
    ['/v1/conversations/{key}/chat', `/v1/conversations/${key}/chat`, 200],
    ['/v1/conversations/{key}/chat', `/v1/conversations/${key}/chat?limit=0`, 422],
    ['/v1/conversations/{key}/turns/{message_id}/explain', `/v1/conversations/${key}/turns/none/explain`, 404],
    ['/v1/conversations/{key}/verify', `/v1/conversations/${key}/verify`, 200],
    ['/v1/conversations/{key}/rebuild', `/v1/conversations/${key}/rebuild`, 200],
    ['/v1/conversations/{key}/redecide', `/v1/conversations/${key}/redecide`, 200],
    ['/v1/conversations/{key}/redecide', '/v1/conversations/none/redecide', 404],
    ['/v1/signals/stream', '/v1/signals/stream', 422],
    ['/page/{name}', '/page/none.js', 404],
    ['/health', '/health', 200],
    ['/ready', '/ready', 200],
    ['/version', '/version', 200],
    ['/openapi.json', '/openapi.json', 200],
  ])('is what the document says: %s as %s, %d', async (path, address, status) => {
    const answer = await console.get(address);
    const type = (answer.headers.get('content-type') ?? '').split(';')[0] ?? '';
    const schema = schemaFor(path, status, type);
    const body: unknown = await answer.json();
    expect([answer.status, schema !== undefined]).toEqual([status, true]);
    const isValid = ajv.validate(schema ?? false, body);
    expect([isValid, ajv.errors]).toEqual([true, null]);
  });

  it.each([
    ['/', 'text/html'],
    ['/page/console.js', 'text/javascript'],
    ['/page/console.css', 'text/css'],
    ['/metrics', 'text/plain'],
  ])('is of the type that it should be: %s', async (address, type) => {
    const answer = await console.get(address);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining(type)]);
    expect((await answer.text()).length).toBeGreaterThan(100);
  });
});
