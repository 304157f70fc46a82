import { afterEach, describe, expect, it } from '@jest/globals';
import { bodyDigestOf, ChannelResponse, GatewayRequest, Problem, RetryableError } from '@latch/contracts';
import { eventually } from '@latch/testing';
import { sendProgress } from './stream-turn.ts';
import { message, openTestIngress, type TestIngress, type TestOptions } from './test-ingress.features.ts';

type Frame = { readonly event: string; readonly data: Record<string, unknown>; readonly retry: string | undefined };

function framesOf(text: string): Frame[] {
  const blocks = text.split('\n\n').filter((block) => block.startsWith('event: '));
  return blocks.map((block) => ({
    event: /^event: (.*)$/m.exec(block)?.[1] ?? '',
    retry: /^retry: (.*)$/m.exec(block)?.[1],
    data: JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? '{}'),
  }));
}

/** What has come of a stream so far. */
function followed(answer: Response): () => string {
  let text = '';
  const follow = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) text += decoder.decode(chunk, { stream: true });
  };
  void follow();
  return () => text;
}

describe('progress for a client', () => {
  const sentWith = (unreadBytes: number): string[] => {
    const sent: string[] = [];
    const stream = { unreadBytes, send: (event: string) => void sent.push(event) };
    sendProgress(stream, { progress: { progress: 1 }, status: { turn_id: 't', status_url: '/' } });
    return sent;
  };

  it('that reads is sent', () => {
    expect(sentWith(0)).toEqual(['tool.progress']);
  });

  it('that does not read is left out, not kept', () => {
    expect(sentWith(100_000)).toEqual([]);
  });
});

describe('a streamed message', () => {
  const opened: TestIngress[] = [];
  const open = async (options?: TestOptions): Promise<TestIngress> => {
    const ingress = await openTestIngress(options);
    opened.push(ingress);
    return ingress;
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((ingress) => ingress.close()));
  });

  it('gets its frames in order, the answer among them, and flow.end last', async () => {
    const ingress = await open({
      onTurn: (turn, { answer }) =>
        void answer(turn, 'pronto', { transaction_id: 't-1', transaction_status: 'COMPLETED' }),
    });
    const answer = await ingress.stream(message());
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-cache, no-transform');
    const frames = framesOf(await answer.text());
    expect(frames.map(({ event }) => event)).toEqual([
      'connected',
      'workflow.started',
      'message.responded',
      'workflow.completed',
      'flow.end',
    ]);
    const turnId = ingress.turns[0]?.event_id;
    expect(frames[0]?.data).toMatchObject({ turn_id: turnId, conversation_key: 'default:retail_orders:s-1' });
    expect(frames[1]?.data).toMatchObject({ turn_id: turnId, status_url: `/v1/turns/${turnId}` });
    expect(ChannelResponse.parse(frames[2]?.data).text).toBe('pronto');
    expect(frames[3]?.data).toEqual({ turn_id: turnId, transaction_id: 't-1', transaction_status: 'COMPLETED' });
    expect(frames[4]?.data).toEqual({ turn_id: turnId, outcome: 'answered' });
  });

  it('is told what servers say of the running calls of its conversation, and of no other', async () => {
    const ingress = await open();
    const streaming = ingress.stream(message());
    const [turn] = await ingress.untilTurns(1);
    const answer = await streaming;
    await ingress.progress('default:retail_orders:s-2', { progress: 1 });
    await ingress.progress('default:retail_orders:s-1', { tool_name: 'cancelar', progress: 1, total: 3 });
    await ingress.progress('default:retail_orders:s-1', { tool_name: 'cancelar', progress: 2, total: 3 });
    const seen = followed(answer);
    await eventually(() => expect(framesOf(seen()).filter(({ event }) => event === 'tool.progress')).toHaveLength(2));
    if (turn) await ingress.answer(turn);
    await eventually(() => expect(framesOf(seen()).at(-1)?.event).toBe('flow.end'));
    const frames = framesOf(seen());
    expect(frames.map(({ event }) => event).slice(2, -3)).toEqual(['tool.progress', 'tool.progress']);
    expect(frames[2]?.data).toEqual({ turn_id: turn?.event_id, tool_name: 'cancelar', progress: 1, total: 3 });
    expect(frames.at(-1)?.event).toBe('flow.end');
  });

  it('ends with flow.end and the place to ask when the wait is over first', async () => {
    const ingress = await open();
    const frames = framesOf(await (await ingress.stream(message(), { prefer: 'wait=1' })).text());
    expect(frames.at(-1)).toMatchObject({
      event: 'flow.end',
      data: { outcome: 'pending', status_url: expect.stringMatching(/^\/v1\/turns\//) },
    });
  });

  it('ends with an error frame when its id was used with another body', async () => {
    const ingress = await open();
    const streaming = ingress.stream(message());
    const [turn] = await ingress.untilTurns(1);
    await ingress.conflict(turn?.event_id ?? '', bodyDigestOf(GatewayRequest.parse(turn?.payload)));
    const last = framesOf(await (await streaming).text()).at(-1);
    expect(last?.event).toBe('error');
    expect(Problem.parse(last?.data)).toMatchObject({ code: 'turn.conflict', status: 409 });
  });

  it('ends with an error frame, and the advice to come again, when the service stops', async () => {
    const ingress = await open();
    const streaming = ingress.stream(message());
    await ingress.untilTurns(1);
    await (await streaming).body?.getReader().read();
    const second = ingress.stream(message({ payload: { message_id: 'm-2' } }));
    await ingress.untilTurns(2);
    const answer = await second;
    await ingress.service.stop();
    const last = framesOf(await answer.text()).at(-1);
    expect(last).toMatchObject({ event: 'error', retry: '1000', data: { code: 'service.draining' } });
    expect(last?.data['status_url']).toBeDefined();
  });

  it.each([
    ['an invalid body', message({ channel: 7 }), 422],
    ['no JSON', '{', 400],
  ])('with %s is refused before any frame, with the status of the refusal', async (_, body, status) => {
    const ingress = await open();
    const answer = await ingress.stream(body);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
  });

  it('is refused before any frame when the bus is away', async () => {
    const ingress = await open({ publish: () => Promise.reject(new RetryableError('no broker')) });
    const answer = await ingress.stream(message());
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ code: 'bus.unavailable' });
  });

  it('frees its place when its caller goes away', async () => {
    const ingress = await open({ settings: { LATCH_MAX_WAITING: 1 } });
    const leaving = new AbortController();
    const response = await fetch(`${ingress.url}/v1/messages/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message()),
      signal: leaving.signal,
    });
    await ingress.untilTurns(1);
    leaving.abort();
    await expect(response.text()).rejects.toThrow();
    const next = await ingress.send(message({ payload: { message_id: 'm-2' } }), { prefer: 'wait=1' });
    expect(next.status).toBe(202);
  });
});
