import { randomUUID } from 'node:crypto';
import { type BusMessage, DeadLetter, type ErrorCode, EventEnvelope, topics } from '@latch/contracts';
import { makeEnvelope, toBusMessage, toDeadLetter } from '@latch/messaging';
import { type Letter } from './letter.ts';

/** What a spec says of a turn that died. */
export type DeadTurn = {
  readonly key?: string;
  readonly eventId?: string;
  /** When it was said, UTC. */
  readonly at?: string;
  readonly code?: ErrorCode;
  /** Place of the message, and of its letter. */
  readonly offset?: string;
  readonly letterOffset?: string;
  readonly consumer?: string;
};

const usual = {
  key: 'acme:retail_orders:s1',
  at: '2026-12-01T12:00:00.000Z',
  code: 'message.unhandled',
  offset: '42',
  consumer: 'orchestrator',
} as const;

/** The letter about a turn, as it is read from the topic. */
export function letterOfTurn(of: DeadTurn = {}): Letter {
  const dead = { ...usual, eventId: randomUUID(), ...of };
  const said = turnOf(dead);
  const record = { ...said, partition: 1, offset: dead.offset, value: Buffer.from(said.value), timestampMs: 0 };
  const by = { service: dead.consumer, groupId: dead.consumer };
  const { value } = toDeadLetter({ record, reason: { code: dead.code, message: 'x' }, attempts: 3 }, by);
  const envelope = EventEnvelope.parse(JSON.parse(value));
  const known = { event_id: envelope.event_id ?? '', conversation_key: dead.key };
  const content = DeadLetter.parse(envelope.payload);
  const offset = of.letterOffset ?? dead.offset;
  return { id: `2/${offset}`, partition: 2, offset, envelope: { ...envelope, ...known }, content };
}

function turnOf({ key, eventId, at }: Required<Pick<DeadTurn, 'key' | 'eventId' | 'at'>>): BusMessage {
  const [tenantId = '', agentId = '', sessionId = ''] = key.split(':');
  const said = { message: 'sim', session_id: sessionId, message_id: 'm1', user_id: 'ana' };
  const envelope = makeEnvelope({
    ...{ eventType: 'IC.GATEWAY_RECEIVED', payload: { channel: 'web', payload: said }, tenantId, agentId, sessionId },
    ...{ contractVersion: 'gateway-request-v1', conversationKey: key, traceId: 't', eventId },
    ...{ producer: 'ingress', timestamp: at },
  });
  return toBusMessage(topics.turns, envelope);
}
