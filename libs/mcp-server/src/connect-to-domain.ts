import { mcpMeta } from '@latch/contracts';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type CallToolResult, CallToolResultSchema, type ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';

/** A session with a domain server, by the SDK's own client: what a spec of a server looks through. */
export type DomainClient = {
  readonly client: Client;
  /** Calls a tool, under an idempotency key where one is given. @throws when the server gives no result. */
  callTool(name: string, args: Readonly<Record<string, unknown>>, key?: string): Promise<CallToolResult>;
  close(): Promise<void>;
};

/**
 * Opens a session with a domain server.
 *
 * @param url that of the server, without `/mcp`.
 * @throws when the server does not answer.
 */
export async function connectToDomain(url: string, capabilities: ClientCapabilities = {}): Promise<DomainClient> {
  const client = new Client({ name: 'domain-client', version: '1.0.0' }, { capabilities });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  return {
    client,
    async callTool(name, args, key) {
      const _meta = key === undefined ? {} : { [mcpMeta.idempotencyKey]: key };
      const request = { name, arguments: { ...args }, _meta };
      return CallToolResultSchema.parse(await client.callTool(request, CallToolResultSchema));
    },
    close: () => client.close(),
  };
}

/** The StructuredError of an `isError` answer, as domain servers give it; null for any other answer. */
export function errorOf(result: CallToolResult): unknown {
  const [first] = result.content;
  return result.isError === true && first?.type === 'text' ? JSON.parse(first.text) : null;
}
