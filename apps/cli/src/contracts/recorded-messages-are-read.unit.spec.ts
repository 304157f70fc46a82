import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { EventEnvelope, jsonSchemaOf, publishedContracts, topics } from '@latch/contracts';
import { parseRecord, payloadSchemas } from '@latch/messaging';
import ajvModule from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { z } from 'zod';
import { inCheckout } from '../checkout.ts';
import { releasesIn } from './check-evolution.ts';

/** A message of a released version as it stood on Kafka while conversations ran, some of them with faults of the domain's server; its value is shown as JSON. */
const RecordedMessage = z.object({
  topic: z.enum(topics),
  key: z.string(),
  headers: z.record(z.string(), z.string()),
  value: z.record(z.string(), z.unknown()),
});

const released = inCheckout('contracts/released');
const recorded = releasesIn(released).flatMap((version) => {
  const folder = path.join(released, version, 'messages');
  return readdirSync(folder).map((file) => {
    const message = RecordedMessage.parse(JSON.parse(readFileSync(path.join(folder, file), 'utf8')));
    return { name: `${version}/${file}`, message };
  });
});

const ajv = addFormats.default(new ajvModule.default({ strict: false }));
const validators = new Map(
  publishedContracts.map(({ version, schema }) => [version, ajv.compile(jsonSchemaOf(schema))]),
);

describe('the messages that released versions have written', () => {
  it('are there for every topic', () => {
    expect(new Set(recorded.map(({ message }) => message.topic))).toEqual(new Set(Object.values(topics)));
  });

  it.each(releasesIn(released))('are there for every event type of %s', (version) => {
    const catalogue = JSON.parse(readFileSync(path.join(released, version, 'events/catalogue.json'), 'utf8'));
    const { events } = z.object({ events: z.array(z.object({ type: z.string() })) }).parse(catalogue);
    const seen = recorded
      .filter(({ name }) => name.startsWith(`${version}/`))
      .map(({ message }) => message.value['event_type']);
    expect(new Set(seen)).toEqual(new Set(events.map(({ type }) => type)));
  });

  it.each(recorded)('$name is read as a consumer reads it today, with every field that it had', ({ message }) => {
    const { topic, key, headers, value } = message;
    const record = { topic, partition: 0, offset: '0', key, headers, timestampMs: 0 };
    const received = parseRecord({ ...record, value: Buffer.from(JSON.stringify(value)) }, payloadSchemas);
    if (!received.ok) throw new Error(received.error.message);
    expect(received.value.envelope).toEqual(value);
    expect(received.value.payload).toEqual(value['payload']);
  });

  it.each(recorded)('$name is valid by the schemas that are published today', ({ message: { value } }) => {
    const envelope = EventEnvelope.parse(value);
    const contracts = ['event-envelope-v1', envelope.contract_version ?? ''];
    const [ofEnvelope, ofPayload] = contracts.map((version) => validators.get(version));
    expect([ofEnvelope?.(value), ofEnvelope?.errors]).toEqual([true, null]);
    if (contracts[1] === 'event-envelope-v1') return; // a signal: its payload holds free facts
    expect([ofPayload?.(envelope.payload), ofPayload?.errors]).toEqual([true, null]);
  });
});
