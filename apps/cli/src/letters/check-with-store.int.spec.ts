import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GatewayRequest, type Topic, topics } from '@latch/contracts';
import { erasePerson, type EventStore, openEventStore, openMaintenance } from '@latch/event-store';
import { type Redrivable } from '@latch/messaging';
import { createLogger } from '@latch/observability';
import { testKeyRing } from '@latch/testing';
import { randomUUID } from 'node:crypto';
import { openPlayedStore, playedConversation, type PlayedStore } from '../replay/played-store.features.ts';
import { type PlayedConversation } from '../histories/played-conversation.ts';
import { checkWithStore } from './check-with-store.ts';

const logger = createLogger({ service: 'spec', level: 'silent' });
const key = 'default:telecom_contas:one';

let played: PlayedStore;
let operator: EventStore;
let talk: PlayedConversation;

beforeAll(async () => {
  played = await openPlayedStore();
  talk = await playedConversation('one');
  await played.keep(talk);
  operator = await openEventStore({
    ...{ databaseUrl: played.url, producer: 'spec', role: 'latch_maintenance', personalData: testKeyRing, logger },
  });
}, 60_000);
afterAll(async () => {
  await operator.close();
  await played.end();
});

/** A message as it would be sent again. */
function message(topic: Topic, payload: Record<string, unknown>, of: { id?: string; at?: string } = {}): Redrivable {
  const { id: event_id = randomUUID(), at: timestamp = '2026-11-30T13:00:00.000Z' } = of;
  const place = { tenant_id: 'default', agent_id: 'telecom_contas', session_id: 'one', trace_id: 't' };
  const envelope = { ...place, event_type: 'x', payload, event_id, timestamp, conversation_key: key };
  const sent = { topic, key, eventId: event_id, value: '', headers: {} };
  const record = { topic, partition: 0, offset: '0', key, value: Buffer.alloc(0), headers: {}, timestampMs: 0 };
  return { message: sent, received: { record, envelope, payload } };
}

function turn(of: { id?: string; at?: string }): Redrivable {
  const said = { message: 'sim', session_id: 'one', message_id: 'm', user_id: 'ana' };
  return message(topics.turns, GatewayRequest.parse({ channel: 'web', payload: said }), of);
}

async function wordFor(redrivable: Redrivable): Promise<string | null> {
  return (await checkWithStore(operator, redrivable))?.word ?? null;
}

describe('what the event store says about a message that is to be sent again', () => {
  it('is nothing of a turn that came after all that was heard', async () => {
    expect(await wordFor(turn({ at: '2026-11-30T13:00:00.000Z' }))).toBeNull();
  });

  it('is that a turn was answered, or that its conversation has gone on', async () => {
    const events = await operator.readEvents({ tenantId: 'default', key, after: 0, limit: 100 });
    const heard = events.find(({ type }) => type === 'TurnReceived')?.causationId ?? '';
    expect(await wordFor(turn({ id: heard }))).toBe('answered');
    expect(await wordFor(turn({ at: '2026-11-30T12:00:00.000Z' }))).toBe('overtaken');
  });

  it('is that the approval of a call has ended, while what it led to is still a fact', async () => {
    const invocation_id = talk.calls.at(-1)?.invocation_id;
    expect(await wordFor(message(topics.toolInvocations, { invocation_id }))).toBe('expired');
    expect(await wordFor(message(topics.toolExecutions, { invocation_id }))).toBeNull();
    expect(await wordFor(message(topics.toolResults, { invocation_id }))).toBeNull();
  });

  it('is that nobody has approved a call', async () => {
    for (const topic of [topics.toolInvocations, topics.toolExecutions, topics.toolResults]) {
      expect(await wordFor(message(topic, { invocation_id: 'nobody' }))).toBe('not_approved');
      expect(await wordFor(message(topic, {}))).toBe('not_approved');
    }
  });

  it('is that a person was erased, of what the person has said and of what was done for it', async () => {
    const maintenance = openMaintenance({ databaseUrl: played.url, personalData: testKeyRing, logger });
    const erased = await erasePerson(maintenance, { tenantId: 'default', who: { userId: 'ana' }, waitMs: 0 });
    await maintenance.close();
    expect(erased.outcome).toBe('erased');
    const invocation_id = talk.calls.at(-1)?.invocation_id;
    expect(await wordFor(turn({ at: '2026-11-30T13:00:00.000Z' }))).toBe('erased');
    expect(await wordFor(message(topics.toolExecutions, { invocation_id }))).toBe('erased');
  });
});
