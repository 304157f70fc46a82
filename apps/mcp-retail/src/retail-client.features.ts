import { afterEach } from '@jest/globals';
import { readEnvironment } from '@latch/config';
import { idempotencyKeyMeta } from '@latch/mcp-server';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type CallToolResult, CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { retailSettings } from './config.ts';
import { startMcpRetail } from './start.ts';

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

/** A call of the sample server by the SDK's own client; `structuredContent`, or the parsed error. */
export type CallTool = (name: string, args: Record<string, unknown>, key?: string) => Promise<CallToolResult>;

/** Starts the server on a free port and connects to it; both end with the test. */
export async function connectToRetail(
  env: Record<string, string> = {},
): Promise<{ readonly url: string; readonly client: Client; readonly callTool: CallTool }> {
  const settings = readEnvironment(retailSettings, { LATCH_HTTP_PORT: '0', ...env });
  if (!settings.ok) throw new Error(settings.error);
  const server = await startMcpRetail(settings.value);
  endings.push(async () => await server.stop());
  const client = new Client({ name: 'spec', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)));
  endings.push(async () => await client.close());
  const callTool: CallTool = async (name, args, key) => {
    const _meta = key === undefined ? {} : { [idempotencyKeyMeta]: key };
    return CallToolResultSchema.parse(await client.callTool({ name, arguments: args, _meta }, CallToolResultSchema));
  };
  return { url: server.url, client, callTool };
}

/** The StructuredError of an `isError` answer. */
export function errorOf(result: CallToolResult): unknown {
  const [first] = result.content;
  return result.isError === true && first?.type === 'text' ? JSON.parse(first.text) : null;
}
