import { describe, expect, it } from '@jest/globals';
import { EventEnvelope, requiredEnvelopeFields, topics } from '@latch/contracts';
import { CloudEvent, Kafka } from 'cloudevents';
import { toBusMessage } from './envelope.ts';
import { recordOf, signal } from './fixtures/messages.ts';
import { parseRecord } from './parse-record.ts';
import { payloadSchemas } from './payload-schemas.ts';

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

describe('an envelope on the bus', () => {
  it('has the seven published fields and is keyed by its conversation', () => {
    const message = toBusMessage(topics.signals, signal('s1', 1));
    const written = EventEnvelope.parse(JSON.parse(message.value));
    for (const field of requiredEnvelopeFields) expect(written).toHaveProperty(field);
    expect(message).toMatchObject({ key: 'acme:telecom_contas:s1', eventId: 's1-1', topic: topics.signals });
    expect(written.severity).toBe('info');
  });

  it('is a CloudEvent in binary mode for the CloudEvents SDK', () => {
    const envelope = signal('sessão 1', 1);
    const { key, value, headers } = toBusMessage(topics.signals, envelope, { traceparent });
    const message = { key, value, headers: { ...headers }, body: value, timestamp: undefined };
    const event = Kafka.toEvent(message);
    const one = Array.isArray(event) ? event[0] : event;
    if (!(one instanceof CloudEvent)) throw new Error('The SDK sees no CloudEvent.');
    expect(one).toMatchObject({
      specversion: '1.0',
      id: envelope.event_id,
      type: 'IC.TURN_READ',
      source: '/latch/messaging-spec',
      time: '2026-06-19T12:00:00.000Z',
      datacontenttype: 'application/json',
      partitionkey: 'acme:telecom_contas:sessão 1',
    });
    expect(one.validate()).toBe(true);
    expect(headers['traceparent']).toBe(traceparent);
  });

  it('shows nothing of a person in a signal, whoever wrote the words, and everything on the topics that need them', () => {
    const message = 'consultando o CPF 529.982.247-25, cartão 4111 1111 1111 1111, ana@example.com, 12.ABC.345/01DE-35';
    const payload = { message, deep: [{ said: 'Bearer abc.def-123', phone: 11_987_654_321, count: 3 }], done: true };
    const envelope = { ...signal('s1', 1), payload };
    const told: unknown = JSON.parse(toBusMessage(topics.signals, envelope).value);
    expect(told).toMatchObject({
      payload: {
        message: 'consultando o CPF [cpf], cartão [card], [email], [cnpj]',
        deep: [{ said: 'Bearer [secret]', phone: '[phone]', count: 3 }],
        done: true,
      },
    });
    expect(JSON.parse(toBusMessage(topics.turns, envelope).value)).toMatchObject({ payload });
  });

  it('shows a measurement in a signal as it is: its digits may look like those of a card', () => {
    const payload = { score: 0.4111111111111111, since: 4_111_111_111.1, huge: 2.5228778175369368e95 };
    const told: unknown = JSON.parse(toBusMessage(topics.signals, { ...signal('s1', 1), payload }).value);
    expect(told).toMatchObject({ payload });
    const card = toBusMessage(topics.signals, { ...signal('s1', 1), payload: { card: 4_111_111_111_111_111 } });
    expect(JSON.parse(card.value)).toMatchObject({ payload: { card: '[card]' } });
  });

  it('comes out as it went in', () => {
    const envelope = signal('s1', 1);
    const { value } = toBusMessage(topics.signals, envelope);
    const parsed = parseRecord(recordOf(value), payloadSchemas);
    expect(parsed.ok && JSON.parse(JSON.stringify(parsed.value.envelope))).toEqual(
      JSON.parse(JSON.stringify(envelope)),
    );
  });
});
