// The MCP server of the benchmark, in a process of its own and without the SDK: what is measured is the caller. `node server.mjs` prints its port.
import { createServer } from 'node:http';

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const row = '{"id":"x","success":true},';

const tools = {
  fast: (answer) => answer({ content: [], structuredContent: { success: true } }),
  slow: async (answer) => {
    await sleep(2_000);
    answer({ content: [], structuredContent: { success: true } });
  },
  huge: async (_answer, response, id) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`);
    for (let sent = 0; sent < 800 && !response.destroyed; sent += 1) {
      if (!response.write('x'.repeat(65_536)))
        await Promise.race([new Promise((go) => response.once('drain', go)), sleep(100)]);
    }
    response.end('"}]}}');
  },
  million: (_answer, response, id) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      `{"jsonrpc":"2.0","id":${id},"result":{"structuredContent":{"results":[${row.repeat(1_000_000).slice(0, -1)}]}}}`,
    );
  },
  deep: (_answer, response, id) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      `{"jsonrpc":"2.0","id":${id},"result":{"structuredContent":{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}}}`,
    );
  },
};

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  if (request.method !== 'POST') return response.writeHead(request.method === 'GET' ? 405 : 200).end();
  const { method, id, params } = JSON.parse(body);
  const answer = (result, headers = {}) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  };
  const inputSchema = { type: 'object' };
  if (method === 'initialize') {
    const { protocolVersion } = params;
    const serverInfo = { name: 'bench', version: '1' };
    return answer(
      { protocolVersion, capabilities: { tools: {} }, serverInfo },
      { 'mcp-session-id': `s-${id}-${process.hrtime()[1]}` },
    );
  }
  if (method === 'tools/list') return answer({ tools: Object.keys(tools).map((name) => ({ name, inputSchema })) });
  if (method === 'tools/call') return tools[params.name](answer, response, id);
  return response.writeHead(202).end();
});
// It ends with the benchmark, however that ends.
process.stdin.resume().on('end', () => process.exit(0));
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
