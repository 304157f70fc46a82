import { afterEach, describe, expect, it } from '@jest/globals';
import { bodyDigestOf, GatewayRequest, RetryableError, turnIdOf } from '@latch/contracts';
import { message, openTestIngress, type TestIngress, type TestOptions } from './test-ingress.features.ts';

describe('a message', () => {
  const opened: TestIngress[] = [];
  const open = async (options?: TestOptions): Promise<TestIngress> => {
    const ingress = await openTestIngress(options);
    opened.push(ingress);
    return ingress;
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((ingress) => ingress.close()));
  });

  describe('whose answer comes in time', () => {
    it('gets its ChannelResponse', async () => {
      const ingress = await open({ onTurn: (turn, { answer }) => void answer(turn, 'Qual é o pedido?') });
      const answer = await ingress.send(message());
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(answer.headers.get('preference-applied')).toBe('wait=30');
      expect(await answer.json()).toMatchObject({ channel: 'web', text: 'Qual é o pedido?' });
    });

    it('reaches the bus as the turn of its message id, in its conversation', async () => {
      const ingress = await open({ onTurn: (turn, { answer }) => void answer(turn) });
      await ingress.send(message());
      const conversationKey = 'default:retail_orders:s-1';
      expect(ingress.turns[0]).toMatchObject({
        event_type: 'IC.GATEWAY_RECEIVED',
        event_id: turnIdOf({ conversationKey, channel: 'web', userId: 'u-1', messageId: 'm-1' }),
        conversation_key: conversationKey,
        tenant_id: 'default',
        agent_id: 'retail_orders',
        session_id: 's-1',
        message_id: 'm-1',
        contract_version: 'gateway-request-v1',
        producer: 'ingress',
      });
    });

    it('keeps the fields that this version does not know', async () => {
      const ingress = await open({ onTurn: (turn, { answer }) => void answer(turn) });
      await ingress.send(message({ new_field: { a: [1] }, payload: { another: 'x' } }));
      expect(ingress.turns[0]?.payload).toMatchObject({ new_field: { a: [1] }, payload: { another: 'x' } });
    });

    it('keeps a session id that is already prefixed with its conversation', async () => {
      const ingress = await open({ onTurn: (turn, { answer }) => void answer(turn) });
      await ingress.send(message({ payload: { session_id: 'default:retail_orders:s-1' } }));
      expect(ingress.turns[0]?.conversation_key).toBe('default:retail_orders:s-1');
    });
  });

  describe('that leaves its scope open', () => {
    it('gets the default tenant, the default agent and an anonymous user', async () => {
      const ingress = await open({ defaultAgentId: 'telecom_contas', onTurn: (turn, { answer }) => void answer(turn) });
      const { agent_id: _agent, ...body } = message({ payload: { user_id: undefined } });
      expect((await ingress.send(body)).status).toBe(200);
      expect(ingress.turns[0]?.payload).toMatchObject({
        tenant_id: 'default',
        agent_id: 'telecom_contas',
        payload: { user_id: 'anonymous' },
      });
    });

    it('may name another tenant of the agent', async () => {
      const ingress = await open({ onTurn: (turn, { answer }) => void answer(turn) });
      await ingress.send(message({ tenant_id: 'acme' }));
      expect(ingress.turns[0]?.conversation_key).toBe('acme:retail_orders:s-1');
    });
  });

  describe('whose answer takes longer than the caller waits', () => {
    it('is accepted with 202 and the place to ask', async () => {
      const ingress = await open();
      const answer = await ingress.send(message(), { prefer: 'wait=0' });
      expect(answer.status).toBe(202);
      expect(answer.headers.get('retry-after')).toBe('1');
      const [turn] = await ingress.untilTurns(1);
      expect(await answer.json()).toEqual({ turn_id: turn?.event_id, status_url: `/v1/turns/${turn?.event_id}` });
    });

    it('names the tenant in the place to ask when it is not the default', async () => {
      const ingress = await open();
      const answer = await ingress.send(message({ tenant_id: 'acme' }), { prefer: 'respond-async' });
      expect(await answer.json()).toMatchObject({ status_url: expect.stringMatching(/\?tenant_id=acme$/) });
    });

    it('is answered at once when the wait is over, and the late answer disturbs nobody', async () => {
      const ingress = await open();
      const before = performance.now();
      const answer = await ingress.send(message(), { prefer: 'wait=1' });
      expect(answer.status).toBe(202);
      expect(performance.now() - before).toBeGreaterThan(900);
      const [turn] = await ingress.untilTurns(1);
      if (turn) await ingress.answer(turn);
      expect((await fetch(`${ingress.url}/health`)).status).toBe(200);
    });
  });

  describe('that is sent twice', () => {
    it('from two tabs gets the one answer in both, byte for byte', async () => {
      const ingress = await open();
      const both = [ingress.send(message()), ingress.send(message())];
      const [first, second] = await ingress.untilTurns(2);
      expect(second?.event_id).toBe(first?.event_id);
      if (first) await ingress.answer(first, 'uma vez só');
      const texts = await Promise.all((await Promise.all(both)).map((answer) => answer.text()));
      expect(texts[0]).toContain('uma vez só');
      expect(texts[1]).toBe(texts[0]);
    });

    it('after it was answered gets the answer that the engine publishes again, byte for byte', async () => {
      const ingress = await open({ onTurn: (turn, { answer }) => void answer(turn, 'a mesma', { b: 1, a: [2] }) });
      const first = await (await ingress.send(message({ payload: { metadata: { request_id: 'r-1' } } }))).text();
      const second = await (await ingress.send(message({ payload: { metadata: { request_id: 'r-2' } } }))).text();
      expect(second).toBe(first);
      expect(ingress.turns[1]?.event_id).toBe(ingress.turns[0]?.event_id);
    });

    it('with another body is refused with 409 alone, while the first still gets its answer', async () => {
      const ingress = await open();
      const first = ingress.send(message());
      await ingress.untilTurns(1);
      const other = ingress.send(message({ payload: { message: 'outra coisa' } }));
      const turns = await ingress.untilTurns(2);
      const [firstDigest, otherDigest] = turns.map((turn) => bodyDigestOf(GatewayRequest.parse(turn.payload)));
      const [turn] = turns;
      if (!turn || firstDigest === undefined || otherDigest === undefined) throw new Error('two turns expected');
      await ingress.answer(turn, 'a primeira', { body_digest: firstDigest });
      expect(await (await first).json()).toMatchObject({ text: 'a primeira' });
      await ingress.conflict(turn.event_id ?? '', otherDigest);
      const refused = await other;
      expect(refused.status).toBe(409);
      expect(await refused.json()).toMatchObject({ code: 'turn.conflict', status: 409 });
    });
  });

  describe('of a caller who goes away', () => {
    it('frees its place for the next', async () => {
      const ingress = await open({ settings: { LATCH_MAX_WAITING: 1 } });
      const leaving = new AbortController();
      const gone = fetch(`${ingress.url}/v1/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(message()),
        signal: leaving.signal,
      });
      const [turn] = await ingress.untilTurns(1);
      const full = await ingress.send(message({ payload: { message_id: 'm-2' } }));
      expect(full.status).toBe(503);
      expect(await full.json()).toMatchObject({ code: 'service.busy' });
      expect(full.headers.get('retry-after')).toBe('2');
      leaving.abort();
      await expect(gone).rejects.toThrow();
      const next = ingress.send(message({ payload: { message_id: 'm-3' } }), { prefer: 'wait=1' });
      expect((await next).status).toBe(202);
      expect(turn?.message_id).toBe('m-1');
      expect(ingress.turns.map((one) => one.message_id)).toEqual(['m-1', 'm-3']);
    });
  });

  describe('while the bus is away', () => {
    it('is refused with bus.unavailable when the bus says so', async () => {
      const ingress = await open({ publish: () => Promise.reject(new RetryableError('no broker')) });
      const answer = await ingress.send(message());
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toBe('2');
      expect(await answer.json()).toMatchObject({ code: 'bus.unavailable', trace_id: expect.any(String) });
    });

    it('is refused in bounded time when the bus does not answer, and frees its place', async () => {
      const ingress = await open({
        settings: { LATCH_PUBLISH_TIMEOUT_MS: 50, LATCH_MAX_WAITING: 1 },
        publish: () => new Promise(() => undefined),
      });
      for (const message_id of ['m-1', 'm-2', 'm-3']) {
        const answer = await ingress.send(message({ payload: { message_id } }));
        expect(await answer.json()).toMatchObject({ code: 'bus.unavailable' });
      }
    });

    it('never shows what the bus said', async () => {
      const ingress = await open({ publish: () => Promise.reject(new Error('broker-7.internal:9092 refused')) });
      expect(await (await ingress.send(message())).text()).not.toContain('broker-7');
      expect(ingress.logLines.join('')).toContain('turn.publish_failed');
    });
  });

  describe('in a distributed trace', () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

    it('continues the trace of its caller', async () => {
      const ingress = await open({ onTurn: (turn, { answer }) => void answer(turn) });
      const answer = await ingress.send(message(), { traceparent, 'x-request-id': 'req-9' });
      expect(ingress.turns[0]).toMatchObject({ trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', request_id: 'req-9' });
      expect(answer.headers.get('x-trace-id')).toBe('4bf92f3577b34da6a3ce929d0e0e4736');
      expect(answer.headers.get('x-request-id')).toBe('req-9');
    });

    it('begins one when its caller has none', async () => {
      const ingress = await open({ onTurn: (turn, { answer }) => void answer(turn) });
      const answer = await ingress.send(message(), { traceparent: '00-00000000000000000000000000000000-0-01' });
      expect(ingress.turns[0]?.trace_id).toMatch(/^[0-9a-f]{32}$/);
      expect(answer.headers.get('x-trace-id')).toBe(ingress.turns[0]?.trace_id);
    });
  });

  describe('while the service stops', () => {
    it('that waits is told where to ask, and a new one is refused', async () => {
      const ingress = await open({ settings: { LATCH_DRAIN_DELAY_MS: 300 } });
      const waiting = ingress.send(message());
      await ingress.untilTurns(1);
      const stopped = ingress.service.stop();
      const told = await waiting;
      expect(told.status).toBe(202);
      const refused = await ingress.send(message({ payload: { message_id: 'm-2' } }));
      expect(refused.status).toBe(503);
      expect(refused.headers.get('connection')).toBe('close');
      expect(await refused.json()).toMatchObject({ code: 'service.draining' });
      const ready = await fetch(`${ingress.url}/ready`);
      expect(ready.status).toBe(503);
      expect(await ready.json()).toMatchObject({ components: { service: { ok: false, detail: 'draining' } } });
      await stopped;
      expect(ingress.turns).toHaveLength(1);
      await expect(fetch(`${ingress.url}/health`)).rejects.toThrow();
    });
  });

  it('is logged as one line with its ids and without its words', async () => {
    const ingress = await open({ onTurn: (turn, { answer }) => void answer(turn) });
    await ingress.send(message({ payload: { message: 'meu CPF é 529.982.247-25' } }));
    const lines = ingress.logLines.filter((line) => line.includes('turn.ended'));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      event: 'turn.ended',
      outcome: 'answered',
      tenant_id: 'default',
      agent_id: 'retail_orders',
      conversation_key: 'default:retail_orders:s-1',
      message_id: 'm-1',
    });
    expect(ingress.logLines.join('')).not.toMatch(/529\.982|CPF/);
  });

  it('is counted by how it ended', async () => {
    const ingress = await open({ onTurn: (turn, { answer }) => void answer(turn) });
    await ingress.send(message());
    const text = await (await fetch(`${ingress.url}/metrics`)).text();
    expect(text).toContain(
      'latch_turns_total{agent="retail_orders",channel="web",outcome="answered",service="ingress"} 1',
    );
    expect(text).toContain('latch_turn_duration_seconds_count{service="ingress"} 1');
  });
});
