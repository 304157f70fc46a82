import { describe, expect, it } from '@jest/globals';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { isSessionRefusal } from './session-refusal.ts';

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: {} } };
const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'spec', version: '1' } },
};

async function sdkTransport(): Promise<WebStandardStreamableHTTPServerTransport> {
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => 'known' });
  await new McpServer({ name: 'spec', version: '1' }).connect(transport);
  return transport;
}

async function answerTo(
  transport: WebStandardStreamableHTTPServerTransport,
  message: unknown,
  headers: Record<string, string> = {},
) {
  const answer = await transport.handleRequest(
    new Request('http://127.0.0.1/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify(message),
    }),
  );
  return { kind: 'http_error', status: answer.status, body: answer.ok ? '' : await answer.text() } as const;
}

describe('what the installed SDK answers', () => {
  it('before a session is initialized, as after a restart, refuses the session', async () => {
    const outcome = await answerTo(await sdkTransport(), call, { 'mcp-session-id': 'lost' });
    expect(outcome.status).toBe(400);
    expect(isSessionRefusal(outcome)).toBe(true);
  });

  it('to a request without a session refuses the session', async () => {
    const transport = await sdkTransport();
    await answerTo(transport, initialize);
    const outcome = await answerTo(transport, call);
    expect(outcome.status).toBe(400);
    expect(isSessionRefusal(outcome)).toBe(true);
  });

  it('to a session of another name refuses the session', async () => {
    const transport = await sdkTransport();
    await answerTo(transport, initialize);
    const outcome = await answerTo(transport, call, { 'mcp-session-id': 'lost' });
    expect(outcome.status).toBe(404);
    expect(isSessionRefusal(outcome)).toBe(true);
  });

  it('to a protocol version that it does not speak says nothing of the session', async () => {
    const transport = await sdkTransport();
    await answerTo(transport, initialize);
    const headers = { 'mcp-session-id': 'known', 'mcp-protocol-version': '1999-01-01' };
    const outcome = await answerTo(transport, call, headers);
    expect(outcome.status).toBe(400);
    expect(isSessionRefusal(outcome)).toBe(false);
  });
});
