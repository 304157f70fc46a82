import { describe, expect, it } from '@jest/globals';
import { type RawOutcome } from '@latch/contracts';
import { type Dispatcher } from 'undici';
import { CallScope, currentScope } from './call-scope.ts';
import { guardedFetch } from './guarded-fetch.ts';

const url = new URL('http://127.0.0.1:9/mcp');
const limits = { connectTimeoutMs: 1_000, idleTimeoutMs: 1_000, maxBytes: 10_000 };
const request = { method: 'POST', body: '{"method":"tools/call","params":{"name":"x"},"jsonrpc":"2.0","id":7}' };
const result = '{"jsonrpc":"2.0","id":7,"result":{"content":[]}}';
const json = 'application/json';
const stream = 'text/event-stream';

type Ending = { readonly type: string; readonly body: string; readonly error?: Error };

/** The whole answer comes in one go, and then the event loop is busy for longer than anybody would wait. */
async function answerThenBlock({ type, body, error }: Ending): Promise<{ text: string; failure: RawOutcome | null }> {
  const scope = new CallScope();
  const fetch = guardedFetch({ url, limits, dispatcher: { dispatch }, mayListen: () => false });
  const response = await currentScope.run(scope, () => fetch(url, request));
  block(300);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const failure = await Promise.race([scope.failure, Promise.resolve(null)]);
  return { text: await response.text().catch(() => 'broken'), failure };

  function dispatch(_options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    handler.onRequestStart?.(controller, {});
    handler.onResponseStart?.(controller, 200, { 'content-type': type }, 'OK');
    for (const byte of Buffer.from(body)) handler.onResponseData?.(controller, Buffer.of(byte));
    if (error === undefined) handler.onResponseEnd?.(controller, {});
    else handler.onResponseError?.(controller, error);
    return true;
  }
}

const controller: Dispatcher.DispatchController = {
  aborted: false,
  paused: false,
  reason: null,
  abort: () => {},
  pause: () => {},
  resume: () => {},
};

function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

const reset = Object.assign(new Error('read'), { code: 'ECONNRESET' });

describe('an answer whose last byte has come', () => {
  it.each<[string, Ending]>([
    ['as JSON', { type: json, body: result }],
    ['as a batch', { type: json, body: `[${result}]` }],
    ['as an error of JSON-RPC', { type: json, body: '{"jsonrpc":"2.0","id":7,"error":{"code":-1,"message":"no"}}' }],
    ['in a stream', { type: stream, body: `: hello\n\nevent: message\nid: 1\ndata: ${result}\n\n` }],
    ['in a stream with CRLF', { type: `${stream}; charset=utf-8`, body: `\uFEFFdata:${result}\r\n\r\n` }],
    ['over several lines', { type: stream, body: 'data: {"jsonrpc":"2.0","id":7,\ndata: "result":{}}\n\n' }],
    ['before the connection broke', { type: stream, body: `data: ${result}\n\ndata: {"js`, error: reset }],
  ])('%s is no lost one, however busy the process is', async (_, ending) => {
    const { text, failure } = await answerThenBlock(ending);
    expect(failure).toBeNull();
    expect(text).toBe(ending.body.replace('\uFEFF', ''));
  });
});

describe('a body that ended without the answer', () => {
  it.each<[string, string, Ending]>([
    ['nothing', 'result_unreadable', { type: json, body: '' }],
    ['half of it', 'result_unreadable', { type: json, body: result.slice(0, -1) }],
    ['another id', 'result_unreadable', { type: json, body: result.replace('7', '8') }],
    ['no JSON-RPC', 'result_unreadable', { type: json, body: '{"id":7,"result":1}' }],
    ['a comment', 'stream_ended', { type: stream, body: ': bye\n\n' }],
    ['an unfinished event', 'stream_ended', { type: stream, body: `data: ${result}\n` }],
    ['an event of another kind', 'stream_ended', { type: stream, body: `event: ping\ndata: ${result}\n\n` }],
    ['progress', 'stream_ended', { type: stream, body: 'data: {"jsonrpc":"2.0","method":"x"}\n\n' }],
    ['a reset', 'ECONNRESET', { type: stream, body: `data: ${result}`, error: reset }],
  ])('but with %s is a failure', async (_, code, ending) => {
    expect((await answerThenBlock(ending)).failure).toMatchObject({ kind: 'transport_error', code, sent: true });
  });
});
