// One tool call through the session pool, beside the same call through the bare SDK client: time per call, one at a time.
//   npx tsc -b libs/mcp && node libs/mcp/bench/call-tool.bench.mjs [calls per row]
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { McpClientPool } from '@latch/mcp';

const calls = Number(process.argv[2] ?? 1_000);
const http = await serve();
const url = `http://127.0.0.1:${http.address().port}/mcp`;

const client = new Client({ name: 'bench', version: '1.0.0' });
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
const breaker = { failures: 5, openMs: 1_000 };
const limits = { connectTimeoutMs: 1_000, maxConcurrentCalls: 16, maxResultBytes: 1_048_576, breaker };
const servers = { bench: { name: 'bench', url, enabled: true, ...limits } };
const pool = new McpClientPool({ servers, clientName: 'bench', clientVersion: '1.0.0' });
const call = { server: 'bench', tenant: 't', principal: 'p', name: 'look', arguments: {}, timeoutMs: 5_000 };

const outputSchema = { type: 'object', properties: { protocol: { type: 'string' } }, required: ['protocol'] };

const rows = {
  'bare SDK client': () => client.callTool({ name: 'look', arguments: {} }),
  McpClientPool: () => pool.callTool({ ...call, idempotencyKey: randomUUID() }),
  'McpClientPool with output schema': () => pool.callTool({ ...call, idempotencyKey: randomUUID(), outputSchema }),
};
await measure(200);
for (let round = 1; round <= 3; round += 1) {
  const measured = await measure(calls);
  const [bare, ...others] = Object.entries(measured);
  say(round, ...bare);
  for (const [name, times] of others) {
    say(round, name, times);
    say(round, `${name} adds`, difference(times, bare[1]));
  }
}
await client.close();
await pool.close();
http.closeAllConnections();
http.close();

function say(round, name, { p50, p99 }) {
  process.stdout.write(`round ${round}  ${name.padEnd(34)} p50 ${p50.toFixed(2)} ms   p99 ${p99.toFixed(2)} ms\n`);
}

function difference(one, other) {
  return { p50: one.p50 - other.p50, p99: one.p99 - other.p99 };
}

/** The rows take turns, so that a busy machine is busy for all of them alike. */
async function measure(times) {
  const taken = Object.fromEntries(Object.keys(rows).map((name) => [name, []]));
  for (let at = 0; at < times; at += 1) {
    for (const [name, once] of Object.entries(rows)) {
      const from = performance.now();
      await once();
      taken[name].push(performance.now() - from);
    }
  }
  return Object.fromEntries(Object.entries(taken).map(([name, all]) => [name, percentiles(all.sort((a, b) => a - b))]));
}

function percentiles(sorted) {
  return { p50: sorted[Math.floor(sorted.length * 0.5)], p99: sorted[Math.floor(sorted.length * 0.99)] };
}

async function serve() {
  const sessions = new Map();
  const server = createServer(async (request, response) => {
    const known = sessions.get(request.headers['mcp-session-id']);
    await (known ?? (await open(sessions))).handleRequest(request, response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

async function open(sessions) {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    enableJsonResponse: true,
    onsessioninitialized: (id) => void sessions.set(id, transport),
  });
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  server.registerTool('look', {}, () => ({ content: [{ type: 'text', text: '{"protocol":"P-1"}' }] }));
  await server.connect(transport);
  return transport;
}
