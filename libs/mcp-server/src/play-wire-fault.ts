import { type Response } from 'express';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault } from './faults.ts';
import { type ReadCall } from './read-call.ts';
import { question } from './ask-first.ts';
import { sendDeep, sendManyResults, sendOversized } from './send-hostile-answer.ts';

type Play = (call: ReadCall, response: Response, fault: Fault) => void | Promise<void>;

/** Plays a fault on the wire in the place of the answer. */
export async function playWireFault(fault: Fault, call: ReadCall, response: Response): Promise<void> {
  if (fault.delayMs !== undefined) await sleep(fault.delayMs, undefined, { ref: false });
  await plays[fault.kind]?.(call, response, fault);
}

const plays: Partial<Record<Fault['kind'], Play>> = {
  unavailable: answerStatus(503),
  http_500: answerStatus(500),
  http_502: answerStatus(502),
  http_429: answerStatus(429),
  drop_connection: (_call, response) => void response.destroy(),
  hang: () => {},
  drip: (_call, response) => drip(response.type('application/json'), ' '),
  drip_stream: (_call, response) => drip(response.type('text/event-stream'), ': still there\n\n'),
  cut_stream: cutStream,
  end_stream: (_call, response) => void response.type('text/event-stream').end(': nothing more to say\n\n'),
  junk: (_call, response) => void response.type('application/json').send('<html>upstream says hello</html>'),
  wrong_id: (_call, response) => sendRpc(response, { id: 'another', result: { content: [] } }),
  rpc_error: ({ id }, response) => sendRpc(response, { id, error: { code: -32_603, message: 'Internal error' } }),
  output_mismatch: ({ id }, response) =>
    sendRpc(response, { id, result: { content: [], structuredContent: { total: 'many' } } }),
  input_required: ({ id }, response) =>
    sendRpc(response, { id, result: { content: [], resultType: 'input_required', inputRequests } }),
  oversized: (call, response, { bytes }) => sendOversized(call, response, bytes ?? 8_388_608),
  many_results: sendManyResults,
  deep: sendDeep,
};

/** How MCP 2026-07-28 asks: the result names the question. */
const inputRequests = { motivo: { method: 'elicitation/create', params: question } };

function answerStatus(status: number): Play {
  return (_call, response, { retryAfterSeconds }) => {
    if (retryAfterSeconds !== undefined) response.set('Retry-After', String(retryAfterSeconds));
    response.status(status).json({ error: `the server answers ${status}` });
  };
}

function sendRpc(response: Response, message: Readonly<Record<string, unknown>>): void {
  response.json({ jsonrpc: '2.0', ...message });
}

/** A few bytes now and then, for as long as somebody listens. */
function drip(response: Response, piece: string): void {
  response.write(piece);
  const timer = setInterval(() => response.write(piece), 50).unref();
  response.once('close', () => clearInterval(timer));
}

/** The connection breaks in the middle of the event that holds the answer. */
function cutStream({ id }: ReadCall, response: Response): void {
  response.type('text/event-stream');
  response.write(`event: message\ndata: {"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[`);
  setTimeout(() => response.destroy(), 20).unref();
}
