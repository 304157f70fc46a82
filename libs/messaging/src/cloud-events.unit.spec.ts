import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { EventEnvelope, eventCatalogue, type EventType, topics } from '@latch/contracts';
import { CloudEvent, Kafka } from 'cloudevents';
import fc from 'fast-check';
import { z } from 'zod';
import { makeEnvelope, toBusMessage } from './envelope.ts';

const Attributes = z.looseObject({ specversion: z.string(), type: z.string(), id: z.string(), source: z.string() });
const rows = readFileSync(new URL('./fixtures/cloudevents-conformance.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) =>
    z
      .object({
        kind: z.string(),
        headers: z.record(z.string(), z.string()).optional(),
        value: z.string().optional(),
        attributes: Attributes.optional(),
        data: z.unknown().optional(),
        expected: z.looseObject({ attributes: Attributes.optional(), data: z.unknown().optional() }),
      })
      .parse(JSON.parse(line)),
  );

/** Reads a Kafka message as any CloudEvents consumer does. */
function readBySdk(of: { headers: Record<string, string>; value: unknown; key?: string }): CloudEvent<unknown> {
  const { headers, value, key = '' } = of;
  const message = { headers, value, body: value, key, timestamp: undefined };
  const event = Kafka.toEvent(message);
  const one = Array.isArray(event) ? event[0] : event;
  if (!(one instanceof CloudEvent)) throw new Error('The SDK sees no CloudEvent.');
  return one;
}

const types = Object.keys(eventCatalogue).filter((type): type is EventType => Object.hasOwn(eventCatalogue, type));

const anyEnvelope = fc
  .record({
    eventType: fc.constantFrom(...types),
    eventId: fc.uuid(),
    producer: fc.constantFrom('ingress', 'orchestrator', 'tool-executor'),
    session: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    payload: fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }),
    at: fc.date({ min: new Date('2020-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }),
  })
  .map(({ eventType, eventId, producer, session, payload, at }) =>
    makeEnvelope({
      eventType,
      payload: JSON.parse(JSON.stringify(payload)),
      contractVersion: 'event-envelope-v1',
      tenantId: 'acme',
      agentId: 'telecom_contas',
      sessionId: session,
      conversationKey: `acme:telecom_contas:${session}`,
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      eventId,
      producer,
      timestamp: at.toISOString(),
    }),
  );

describe('the CloudEvents SDK, which judges our messages', () => {
  it.each(rows.filter(({ kind }) => kind === 'kafka message'))(
    'reads the $kind of the conformance suite as the suite expects',
    ({ headers = {}, value, expected }) => {
      const event = readBySdk({ headers, value });
      const time = new Date(String(expected.attributes?.['time'])).toISOString(); // the SDK adds the milliseconds
      expect(event.toJSON()).toMatchObject({ ...expected.attributes, time, data: expected.data });
    },
  );

  it.each(rows.filter(({ kind }) => kind === 'event'))(
    'carries the $kind of the conformance suite over Kafka in binary mode, unchanged',
    ({ attributes, data }) => {
      const sent = Kafka.binary(new CloudEvent({ ...attributes, data }));
      const headers = z.record(z.string(), z.string()).parse(JSON.parse(JSON.stringify(sent.headers)));
      expect(readBySdk({ headers, value: sent.value }).toJSON()).toMatchObject({ ...attributes, data });
    },
  );
});

describe('any envelope on the bus', () => {
  it('has exactly the headers that the SDK itself writes in binary mode', () => {
    fc.assert(
      fc.property(anyEnvelope, (envelope) => {
        const { headers } = toBusMessage(topics.signals, envelope);
        const own = Kafka.binary(
          new CloudEvent({
            id: envelope.event_id,
            type: envelope.event_type,
            source: `/latch/${envelope.producer}`,
            time: envelope.timestamp,
            datacontenttype: 'application/json',
            partitionkey: envelope.conversation_key,
            data: envelope,
          }),
        );
        // The specification maps datacontenttype to content-type; the SDK writes it twice.
        const { 'content-type': type, ...attributes } = headers;
        const written = Object.entries(own.headers).filter(
          ([name, value]) => name.startsWith('ce_') && name !== 'ce_datacontenttype' && value !== undefined,
        );
        expect(attributes).toEqual(Object.fromEntries(written));
        expect(type).toBe('application/json');
      }),
    );
  });

  it('is read by the SDK as a valid event whose data is the plain EventEnvelope', () => {
    fc.assert(
      fc.property(anyEnvelope, (envelope) => {
        // What a signal says is masked; on every other topic it stands as it is.
        const { key, value, headers } = toBusMessage(topics.toolResults, envelope);
        const event = readBySdk({ key, headers: { ...headers }, value: JSON.parse(value) });
        expect(event.validate()).toBe(true);
        expect(event.data).toEqual(JSON.parse(JSON.stringify(envelope)));
        expect(EventEnvelope.parse(event.data).event_id).toBe(event.id);
      }),
    );
  });
});
