import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { kafkaRights, topics } from '@latch/contracts';
import { inCheckout } from '../checkout.ts';

/** What `libs/messaging` publishes for a service that takes this from it. */
const publishedFor: Readonly<Record<string, string>> = {
  reportConfig: topics.signals,
  emitSignals: topics.signals,
  BatchServer: topics.deadLetters,
  consumeBatch: topics.deadLetters,
};

const services = ['ingress', 'orchestrator', 'tool-executor', 'result-normalizer', 'evaluator', 'console'];

describe('what a service publishes, by its source', () => {
  it.each(services)('is what it may write to, and all of that: %s', (service) => {
    const allowed = kafkaRights()
      .filter(({ principal, operations }) => principal === service && operations.includes('Write'))
      .flatMap(({ names }) => names);
    expect(topicsWrittenBy(service)).toEqual([...allowed].sort());
  });

  it('leaves libs/messaging through doors that are known here: add what a new one publishes to the table', () => {
    const publishing = sourcesOf('libs/messaging').filter(({ text }) => /\bpublish\(/.test(text));
    expect(publishing.map(({ name }) => name).sort()).toEqual([
      // The buses and what stands around them: they publish what they are given.
      ...['bus.ts', 'consume-batch.ts', 'emit-signals.ts', 'kafka-bus.ts', 'memory-bus.ts', 'relay.ts'],
      'replay-publisher.ts',
      ...['translate-bus.ts'],
    ]);
  });
});

function topicsWrittenBy(service: string): readonly string[] {
  const all = sourcesOf(`apps/${service}`).map(({ text }) => text);
  const own = all.flatMap((text) => [...text.matchAll(/\b(?:toBusMessage|publishable)\(\s*topics\.(\w+)/g)]);
  const written = own.map(([, name]) => new Map<string, string>(Object.entries(topics)).get(name ?? '') ?? `no topic ${name}`);
  const taken = all.flatMap((text) => [...text.matchAll(/import \{([^}]*)\} from '@latch\/messaging'/g)]);
  const names = taken.flatMap(([, list = '']) => list.split(',').map((name) => name.trim()));
  const through = Object.entries(publishedFor).flatMap(([name, topic]) => (names.includes(name) ? [topic] : []));
  return [...new Set([...written, ...through])].sort();
}

/** The sources that run in production. */
function sourcesOf(room: string): readonly { readonly name: string; readonly text: string }[] {
  const files = readdirSync(inCheckout(`${room}/src`), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts') && !/\.(spec|features|bench)\.ts$|fixtures/.test(file))
    .map((file) => ({ name: path.basename(file), text: readFileSync(path.join(inCheckout(room), 'src', file), 'utf8') }));
}
