// @ts-check
/**
 * The referee: an MCP server in a process of its own, written without the SDK so that it can answer anything. Each effect is written to a file and synced to the
 * disk before a byte of the answer goes out: what stands there has happened, whatever became of the answer.
 *
 *   node referee-server.mjs FILE     prints its port; a second port (`late`) listens only after POST /listen
 *
 * What it does with a call is a plan per argument `order`, set by POST /plan {order, steps}: one step per attempt, the last one for all that follow.
 */
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { argv } from 'node:process';

const [, , file = ''] = argv;
const log = openSync(file, 'a');

/** @typedef {{ tool: string, order: string, key: string, startedAt: number, answeredAt: number | null, closedAt: number | null, lateMs: number }} Call */
/** @type {Map<string, string[]>} */
const plans = new Map();
/** @type {Map<string, unknown>} */
const firstAnswers = new Map();
/** @type {Call[]} */
const calls = [];

/** How late this process's own timers have come so far, in ms: what a busy machine adds to every wait, that of the executor among them. */
let lateMs = 0;
const everyMs = 10;
let due = Date.now() + everyMs;
setInterval(() => {
  lateMs += Math.max(0, Date.now() - due);
  due = Date.now() + everyMs;
}, everyMs).unref();
let changedTools = new Set();

const sleep = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

const text = { type: 'string' };
const schemas = {
  cancelar: { order: text },
  cancelar_uma_vez: { order: text },
  cancelar_tarde: { order: text },
  cancelar_mutavel: { order: text },
  cancelar_varios: { order: text, items: { type: 'array', items: text } },
  consultar: { idempotency_key: text, order: text, items: { type: 'array', items: text } },
};

function listTools() {
  return Object.entries(schemas).map(([name, properties]) => ({
    name,
    description: name,
    inputSchema: {
      type: 'object',
      properties: changedTools.has(name) ? { ...properties, motivo: text } : properties,
    },
  }));
}

/** The effect: on the disk before anything is answered. The same key again is the first answer again and no second effect. */
function effect(/** @type {Call} */ call, /** @type {Record<string, unknown>} */ args) {
  const known = firstAnswers.get(call.key);
  if (known !== undefined) return known;
  const digest = createHash('sha256').update(JSON.stringify(args)).digest('hex');
  const items = Array.isArray(args.items) ? args.items : [];
  writeSync(log, `${JSON.stringify({ key: call.key, digest, order: call.order, items, at: Date.now() })}\n`);
  fsyncSync(log);
  const results = items.map((id) => ({ id, success: true, protocol: `P-${id}` }));
  const answer = items.length > 0 ? { results } : { success: true, protocol: `P-${call.order}` };
  firstAnswers.set(call.key, answer);
  return answer;
}

const result = (/** @type {unknown} */ structuredContent, more = {}) => ({
  content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
  structuredContent,
  ...more,
});
const said = (/** @type {string} */ words) => ({ isError: true, content: [{ type: 'text', text: words }] });

/** @typedef {{ id: unknown, call: Call, args: Record<string, unknown>, response: import('node:http').ServerResponse }} Exchange */

/** @param {Exchange} exchange @param {unknown} value */
function answer({ id, call, response }, value) {
  call.answeredAt = Date.now();
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: value }));
}

/** @param {Exchange} exchange @param {string} body @param {number} [status] @param {Record<string, string>} [headers] */
function raw({ call, response }, body, status = 200, headers = {}) {
  call.answeredAt = Date.now();
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
}

const rows = (/** @type {Exchange} */ { args }) => (Array.isArray(args.items) ? args.items : []);

/** @type {Record<string, (exchange: Exchange) => unknown>} */
const faults = {
  fine: (of) => answer(of, result(effect(of.call, of.args))),
  slow: async (of) => {
    await sleep(700);
    answer(of, result(effect(of.call, of.args)));
  },
  effect_then_slow: async (of) => {
    const done = effect(of.call, of.args);
    await sleep(900);
    answer(of, result(done));
  },
  hang: () => undefined,
  effect_then_hang: (of) => void effect(of.call, of.args),
  answer_late: async (of) => {
    const done = effect(of.call, of.args);
    await sleep(2_500);
    answer(of, result(done));
  },
  drip: async (of) => {
    effect(of.call, of.args);
    of.response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let sent = 0; sent < 200 && !of.response.destroyed; sent += 1) {
      of.response.write(': drip\n');
      await sleep(100);
    }
  },
  drop: (of) => {
    effect(of.call, of.args);
    of.response.writeHead(200, { 'content-type': 'text/event-stream' });
    of.response.write('event: message\ndata: {"jsonrpc":"2.0",');
    setTimeout(() => of.response.destroy(), 50);
  },
  http_500: (of) => raw(of, 'oops', 500),
  http_502: (of) => raw(of, 'bad gateway', 502),
  http_429: (of) => raw(of, 'slow down', 429, { 'retry-after': '1' }),
  error_text: (of) => answer(of, said('não foi possível')),
  error_json: (of) =>
    answer(of, said(JSON.stringify({ errorCategory: 'business', isRetryable: false, message: 'não' }))),
  error_junk: (of) => answer(of, said('{"errorCategory": "busi')),
  error_structured: (of) =>
    answer(of, { ...result({ errorCategory: 'permission', message: 'sem acesso' }), isError: true }),
  rpc_params: (of) =>
    raw(of, JSON.stringify({ jsonrpc: '2.0', id: of.id, error: { code: -32602, message: 'params' } })),
  rpc_internal: (of) =>
    raw(of, JSON.stringify({ jsonrpc: '2.0', id: of.id, error: { code: -32603, message: 'internal' } })),
  wrong_id: (of) => raw(of, JSON.stringify({ jsonrpc: '2.0', id: 999_999, result: result(effect(of.call, of.args)) })),
  not_json: (of) => {
    effect(of.call, of.args);
    raw(of, '<html>done</html>');
  },
  not_json_no_effect: (of) => raw(of, '<html>maintenance</html>'),
  huge: async (of) => {
    of.response.writeHead(200, { 'content-type': 'application/json' });
    of.response.write(`{"jsonrpc":"2.0","id":${String(of.id)},"result":{"content":[{"type":"text","text":"`);
    const chunk = 'x'.repeat(65_536);
    for (let sent = 0; sent < 800 && !of.response.destroyed; sent += 1) {
      if (!of.response.write(chunk))
        await Promise.race([new Promise((go) => of.response.once('drain', go)), sleep(200)]);
    }
    of.response.end('"}]}}');
  },
  million: (of) =>
    answer(of, {
      structuredContent: { results: Array.from({ length: 1_000_000 }, (_, id) => ({ id, success: true })) },
    }),
  deep: (of) =>
    raw(
      of,
      `{"jsonrpc":"2.0","id":${String(of.id)},"result":{"structuredContent":{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}}}`,
    ),
  one_item: (of) =>
    answer(
      of,
      result({
        results: rows(of)
          .slice(0, 1)
          .map((id) => ({ id, success: true })),
      }),
    ),
  duplicates: (of) => answer(of, result({ results: [...rows(of), ...rows(of)].map((id) => ({ id, success: true })) })),
  more_items: (of) => answer(of, result({ results: [...rows(of), 'stranger'].map((id) => ({ id, success: true })) })),
  string_booleans: (of) => answer(of, result({ results: rows(of).map((id) => ({ id, success: 'true' })) })),
  disagreeing: (of) => answer(of, result({ results: rows(of).map((id) => ({ id, ok: true, success: false })) })),
  nested: (of) => answer(of, result({ data: { results: rows(of).map((id) => ({ id, success: true })) } })),
  other_order: (of) => {
    effect(of.call, of.args);
    answer(of, result({ results: [...rows(of)].reverse().map((id, at) => ({ id, success: at > 0 })) }));
  },
};

/** What became of a call, by its key; empty when nothing was ever done under it. */
function reconcile(/** @type {Record<string, unknown>} */ args, /** @type {string} */ key) {
  const known = firstAnswers.get(typeof args.idempotency_key === 'string' ? args.idempotency_key : key);
  return result(known === undefined ? { results: [], count: 0 } : { ...Object(known), found: true });
}

/** @param {{ id: unknown, params: { name: string, arguments?: Record<string, unknown>, _meta?: Record<string, unknown> } }} message @param {import('node:http').ServerResponse} response */
async function onCall({ id, params }, response) {
  const args = params.arguments ?? {};
  const key = String(params._meta?.['latch/idempotency-key'] ?? 'none');
  const order = String(args.order ?? '');
  const call = { tool: params.name, order, key, startedAt: Date.now(), answeredAt: null, closedAt: null, lateMs: 0 };
  const lateBefore = lateMs;
  calls.push(call);
  response.on('close', () => {
    call.closedAt = Date.now();
    call.lateMs = lateMs - lateBefore;
  });
  const exchange = { id, call, args, response };
  if (params.name === 'consultar') return answer(exchange, reconcile(args, key));
  const steps = plans.get(order) ?? ['fine'];
  const step = (steps.length > 1 ? steps.shift() : steps[0]) ?? 'fine';
  await faults[step]?.(exchange);
}

const send = (
  /** @type {import('node:http').ServerResponse} */ response,
  /** @type {unknown} */ value,
  headers = {},
) => {
  response.writeHead(200, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
};

/** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
async function onRequest(request, response) {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const given = body === '' ? {} : JSON.parse(body);
  switch (request.url) {
    case '/plan':
      plans.set(given.order, given.steps);
      return send(response, {});
    case '/change':
      changedTools = new Set(given.tools);
      return send(response, {});
    case '/listen':
      late.listen(latePort, '127.0.0.1');
      return send(response, {});
    case '/calls':
      return send(response, { calls });
    default:
      return onMcp(request, given, response);
  }
}

/** @param {import('node:http').IncomingMessage} request @param {any} message @param {import('node:http').ServerResponse} response */
async function onMcp(request, message, response) {
  if (request.method === 'GET') return response.writeHead(405).end();
  if (request.method === 'DELETE') return response.writeHead(200).end();
  const reply = (/** @type {unknown} */ value, headers = {}) =>
    send(response, { jsonrpc: '2.0', id: message.id, result: value }, headers);
  switch (message.method) {
    case 'initialize':
      return reply(
        {
          protocolVersion: message.params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'referee', version: '1' },
        },
        { 'mcp-session-id': `s-${Math.random().toString(36).slice(2)}` },
      );
    case 'tools/list':
      return reply({ tools: listTools() });
    case 'tools/call':
      return onCall(message, response);
    default:
      return response.writeHead(202).end();
  }
}

process.on('exit', () => closeSync(log));
// It ends with the test that started it, however that ends.
process.stdin.resume().on('end', () => process.exit(0));
const handle = (/** @type {any} */ request, /** @type {any} */ response) =>
  void onRequest(request, response).catch(() => response.destroy());
const server = createServer(handle);
const late = createServer(handle);
let latePort = 0;
const portOf = (/** @type {import('node:http').Server} */ of) => Object(of.address()).port;
await new Promise((ready) => late.listen(0, '127.0.0.1', () => ready(undefined)));
latePort = portOf(late);
await new Promise((closed) => late.close(closed));
server.listen(0, '127.0.0.1', () => process.stdout.write(`${JSON.stringify({ port: portOf(server), latePort })}\n`));
