import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GatewayRequest, topics } from '@latch/contracts';
import { makeEnvelope, parseRecord, payloadSchemas, toBusMessage } from '@latch/messaging';
import { callsIn, conversationWith, startTestEngine, type TestEngine } from './engine-on-postgres.features.ts';
import { type Work, workOf } from './work.ts';

const fromTheFuture = { kind: 'image', width: 640, tags: ['a', null, { deep: true }] };

let engine: TestEngine;
beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(() => engine.end());

const conversation = conversationWith('retail_orders');

/** The turn as the bus delivers it: written by a newer ingress, read by this build. */
function turnOverTheBus(text: string): Work {
  const { identity, eventId, request } = conversation.says(text);
  const newer = GatewayRequest.parse({
    ...request,
    x_outer: fromTheFuture,
    payload: {
      ...request.payload,
      x_attachment: fromTheFuture,
      inputs: { intent: 'retail_order_cancel', x_button: fromTheFuture },
      business_context: { customer_key: '11999999999', x_segment: fromTheFuture },
      metadata: { request_id: 'r-1', x_client: fromTheFuture },
    },
  });
  const envelope = makeEnvelope({
    eventType: 'IC.GATEWAY_RECEIVED',
    payload: newer,
    contractVersion: 'gateway-request-v1.7',
    tenantId: identity.tenantId,
    agentId: identity.agentId,
    sessionId: identity.sessionId,
    conversationKey: identity.conversationKey,
    traceId: 'trace-1',
    eventId,
    producer: 'ingress',
    timestamp: '2026-06-19T12:00:00.000Z',
  });
  const { key, value, headers } = toBusMessage(topics.turns, envelope);
  const record = { topic: topics.turns, partition: 0, offset: '0', key, headers, timestampMs: 0 };
  const received = parseRecord({ ...record, value: Buffer.from(value) }, payloadSchemas);
  if (!received.ok) throw new Error(received.error.message);
  return workOf(received.value);
}

async function evidence(): Promise<readonly { type: string; payload: unknown }[]> {
  return engine.store.readEvents({ tenantId: 'default', key: conversation.key, after: 0, limit: 100 });
}

describe('fields that this build does not know', () => {
  it('come out of the evidence of the turn as they went in, at every level of the request', async () => {
    await engine.handle([turnOverTheBus('quero cancelar pedido')]);
    const received = (await evidence()).find(({ type }) => type === 'TurnReceived');
    expect(received?.payload).toMatchObject({
      input: {
        unread: { x_outer: fromTheFuture, payload: { x_attachment: fromTheFuture } },
        inputs: { x_button: fromTheFuture },
        businessContext: { x_segment: fromTheFuture },
        sources: { metadata: { x_client: fromTheFuture } },
      },
    });
  });

  it('come out of the evidence of a tool result too', async () => {
    await engine.handle([conversation.says('PED-1001')]);
    const [call] = callsIn(engine.published.splice(0));
    if (!call) throw new Error('nothing was called');
    const result = { ok: true, data: { eligible: true }, outcome: 'SUCCESS', x_region: fromTheFuture } as const;
    await engine.handle([conversation.resultOf(call, result)]);
    const received = (await evidence()).find(({ type }) => type === 'ToolResultReceived');
    expect(received?.payload).toMatchObject({ input: { result: { x_region: fromTheFuture } } });
  });

  it('leave no trace where there are none', async () => {
    const plain = conversationWith('retail_orders');
    await engine.handle([plain.says('quero cancelar pedido')]);
    const events = await engine.store.readEvents({ tenantId: 'default', key: plain.key, after: 0, limit: 100 });
    expect(JSON.stringify(events)).not.toContain('unread');
  });
});
