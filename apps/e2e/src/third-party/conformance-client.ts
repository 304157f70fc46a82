import { type McpServerConfig } from '@latch/contracts';
import { type ListedTool, McpClientPool } from '@latch/mcp';

/**
 * The client that the conformance suite of MCP drives: `node conformance-client.js URL`. It lists the tools of the server and calls each of them with our own
 * client; the suite looks at what reaches its server. Exit code 0: everything was answered.
 */
const [url = ''] = process.argv.slice(2);
const owner = { server: 'conformance', tenant: 'spec', principal: 'spec' };
const server: McpServerConfig = {
  ...{ name: 'conformance', url, enabled: true, connectTimeoutMs: 2_000, maxConcurrentCalls: 4 },
  ...{ maxResultBytes: 1_048_576, breaker: { failures: 5, openMs: 1_000 } },
};
const pool = new McpClientPool({ servers: { conformance: server }, clientName: 'latch', clientVersion: '1.0.0' });
const listed = await pool.listTools(owner);
if (!listed.ok) process.stderr.write(`${JSON.stringify(listed.error)}\n`);
let isGood = listed.ok;
for (const tool of listed.ok ? listed.value : []) {
  const outcome = await pool.callTool({ ...owner, name: tool.name, arguments: argumentsFor(tool), timeoutMs: 10_000 });
  process.stdout.write(`${tool.name}: ${JSON.stringify(outcome)}\n`);
  isGood = isGood && outcome.kind === 'result';
}
await pool.close();
process.exitCode = isGood ? 0 : 1;

/** A number for each argument that is one. */
function argumentsFor({ inputSchema }: ListedTool): Record<string, unknown> {
  const { properties } = inputSchema;
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  return Object.fromEntries(names.map((name, at) => [name, at + 5]));
}
