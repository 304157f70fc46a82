import { describe, expect, it } from '@jest/globals';
import { eventCatalogue, topicCatalogue, topics } from '@latch/contracts';
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

  it('describes ingress and evaluator, and names the server of what is not at ingress', () => {
    const { paths } = JSON.parse(textOf('openapi.json'));
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/v1/messages', '/v1/evaluations', '/ready']));
    expect(paths['/v1/evaluations'].servers).toEqual([expect.objectContaining({ url: 'http://127.0.0.1:9004' })]);
    expect(paths['/v1/messages'].servers).toBeUndefined();
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
