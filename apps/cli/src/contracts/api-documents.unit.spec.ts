import { describe, expect, it } from '@jest/globals';
import { eventCatalogue, topicCatalogue, topics } from '@latch/contracts';
import { openApiDocument as ofConsole } from '@latch/console/openapi';
import { openApiDocument as ofEvaluator } from '@latch/evaluator/openapi';
import { openApiDocument as ofIngress } from '@latch/ingress/openapi';
import { operationsOf, scopesOfOperations } from '@latch/testing';
import asyncApi from '@asyncapi/parser';
import { Validator } from '@seriousme/openapi-schema-validator';
import { publishedFiles } from './published-files.ts';

const files = publishedFiles();
const textOf = (file: string): string => files.get(file) ?? '';

describe('openapi.json', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(JSON.parse(textOf('openapi.json')))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  const urlsOf = (path: string): readonly string[] | undefined =>
    JSON.parse(textOf('openapi.json')).paths[path].servers?.map(({ url }: { url: string }) => url);
  const [ingress, evaluator, console] = [9000, 9004, 9005].map((port) => `http://127.0.0.1:${port}`);

  it('describes ingress, evaluator and console, and names the servers of what is not at ingress alone', () => {
    expect(urlsOf('/v1/messages')).toBeUndefined();
    expect(urlsOf('/v1/evaluations')).toEqual([evaluator]);
    expect(urlsOf('/v1/signals/stream')).toEqual([console]);
    expect(urlsOf('/v1/transactions')).toEqual([ingress, console]);
    expect(urlsOf('/ready')).toEqual([ingress, evaluator, console]);
  });

  it('has every operation of the three, each under one id', () => {
    const whole = JSON.parse(textOf('openapi.json'));
    for (const service of [ofIngress(), ofEvaluator(), ofConsole()]) expect(operationsOf(whole)).toEqual(expect.arrayContaining([...operationsOf(service)]));
    const ids = Object.values(whole.paths).flatMap((item) => Object.values(Object(item)).flatMap((one) => Object(one).operationId ?? []));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('says the same of what several services have, but for the scopes, and for the tenant, which only the console must be told', () => {
    const [first, second] = [ofIngress(), ofConsole()].map((service) => Object(service)['paths']);
    const shared = Object.keys(first).filter((path) => path in second);
    expect(shared.length).toBeGreaterThan(8);
    const plain = (item: unknown): unknown => JSON.parse(JSON.stringify(item).replaceAll('"required":true', '"required":false'), (name, part) => (name === 'security' ? null : part));
    for (const path of shared) expect([path, plain(second[path])]).toEqual([path, plain(first[path])]);
  });

  it('names the scopes of every service that has an operation', () => {
    const whole = JSON.parse(textOf('openapi.json'));
    const services = [ofIngress(), ofEvaluator(), ofConsole()].map(scopesOfOperations);
    for (const [operation, scopes] of Object.entries(scopesOfOperations(whole))) {
      expect([operation, scopes]).toEqual([operation, [...new Set(services.flatMap((service) => service[operation] ?? []))].sort()]);
    }
    expect(scopesOfOperations(whole)['GET /v1/transactions']).toEqual(['operate', 'read']);
  });

  it('points only at schemas that it holds', () => {
    const { components } = JSON.parse(textOf('openapi.json'));
    const names = [...textOf('openapi.json').matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
    expect(names.filter((name) => !Object.hasOwn(components.schemas, name ?? ''))).toEqual([]);
  });
});

describe('asyncapi.yaml', () => {
  const parsed = new asyncApi.Parser().parse(textOf('asyncapi.yaml'));

  it('passes the parser of the AsyncAPI project without an error or a warning', async () => {
    const { diagnostics, document } = await parsed;
    expect(diagnostics.filter(({ severity }) => severity <= 1).map(({ message, path }) => [message, path])).toEqual([]);
    expect(document?.version()).toBe('3.0.0');
  }, 60_000);

  it('has every topic with its key, partitions and retention', async () => {
    const { document } = await parsed;
    const channels = document?.allChannels().all() ?? [];
    expect(channels.map((channel) => channel.address()).sort()).toEqual(Object.values(topics).sort());
    for (const channel of channels) {
      const entry = Object.entries(topicCatalogue).find(([topic]) => topic === channel.address())?.[1];
      expect(channel.bindings().get('kafka')?.value()).toMatchObject({
        partitions: 4,
        topicConfiguration: { 'retention.ms': (entry?.retentionDays ?? 0) * 86_400_000 },
      });
      for (const message of channel.messages().all()) {
        expect(message.bindings().get('kafka')?.value()['key'].description).toContain(entry?.key);
      }
    }
  }, 60_000);

  it('has every event type of the catalogue, on exactly one topic', () => {
    const onTopics = Object.values(topicCatalogue).flatMap(({ eventTypes }) => eventTypes);
    expect([...onTopics].sort()).toEqual(Object.keys(eventCatalogue).sort());
  });
});
