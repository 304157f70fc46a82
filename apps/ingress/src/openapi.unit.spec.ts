import { platformVersion } from '@latch/contracts';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperationsController } from '@latch/observability';
import { operationsOf, routesOf } from '@latch/testing';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { z } from 'zod';
import { ingressControllers } from './ingress.module.ts';
import { openApiDocument } from './openapi.ts';
import { message, openTestIngress, type TestIngress } from './test-ingress.features.ts';

const Document = z.object({
  openapi: z.string(),
  info: z.object({ version: z.string() }),
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ operationId: z.string(), responses: z.record(z.string(), z.unknown()) })),
  ),
  components: z.object({ schemas: z.record(z.string(), z.record(z.string(), z.unknown())) }),
});
const document = Document.parse(openApiDocument());

describe('the OpenAPI document', () => {
  let ingress: TestIngress;
  beforeAll(async () => {
    ingress = await openTestIngress();
  });
  afterAll(() => ingress.close());

  it('is OpenAPI 3.1 and what /openapi.json answers', async () => {
    expect(document.openapi).toBe('3.1.1');
    expect(await (await fetch(`${ingress.url}/openapi.json`)).json()).toEqual(
      JSON.parse(JSON.stringify(openApiDocument())),
    );
  });

  it('has the version of the package', () => {
    const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
    expect(document.info.version).toBe(JSON.parse(text).version);
    expect(platformVersion).toBe(document.info.version);
  });

  it('points only at schemas that it holds', () => {
    const text = JSON.stringify(openApiDocument());
    const names = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1]);
    expect(names.length).toBeGreaterThan(20);
    for (const name of names) expect(Object.keys(document.components.schemas)).toContain(name);
  });

  it('names each operation once', () => {
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('describes schemas that a validator accepts, and that accept what the API takes and answers', async () => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    for (const [name, schema] of Object.entries(document.components.schemas)) ajv.addSchema(schema, name);
    for (const name of Object.keys(document.components.schemas)) expect(ajv.getSchema(name)).toBeDefined();
    expect(ajv.validate('GatewayRequest', message())).toBe(true);
    expect(ajv.validate('GatewayRequest', { channel: 7 })).toBe(false);
    expect(ajv.validate('Problem', await (await ingress.send('{')).json())).toBe(true);
    expect(ajv.validate('TurnStatus', await (await ingress.send(message(), { prefer: 'wait=0' })).json())).toBe(true);
    expect(ajv.validate('Readiness', await (await fetch(`${ingress.url}/ready`)).json())).toBe(true);
  });

  it('describes every route that is served, and no other', () => {
    expect(operationsOf(openApiDocument())).toEqual(routesOf([...ingressControllers, OperationsController]));
  });

  it('lists every path that is served: each answers otherwise than "no such route"', async () => {
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const method of Object.keys(operations)) {
        const url = ingress.url + path.replaceAll(/\{\w+\}/g, 'x');
        const body = method === 'post' ? { body: '{}', headers: { 'content-type': 'application/json' } } : {};
        const answer = await fetch(url, { method: method.toUpperCase(), ...body });
        const isUnknown = (await answer.text()).includes('"code":"route.unknown"');
        expect({ path, method, isUnknown }).toEqual({ path, method, isUnknown: false });
        expect(Object.keys(operations[method]?.responses ?? {})).toContain(String(answer.status));
      }
    }
  });
});
