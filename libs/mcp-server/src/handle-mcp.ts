import { type CallToolResult, isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { digest } from '@latch/contracts';
import { type Request, type Response } from 'express';
import { type DomainParts } from './domain-mcp-server.ts';
import { type Fault, isPastMcp, runsTheTool } from './faults.ts';
import { playWireFault } from './play-wire-fault.ts';
import { readCall, type ReadCall } from './read-call.ts';
import { runTool } from './run-tool.ts';
import { type Sessions } from './sessions.ts';
import { spoilAnswer } from './spoil-answer.ts';

/** Serves one request to `/mcp`: the session's transport answers, unless a fault that is played past it is switched on. */
export async function handleMcp(
  { parts, sessions }: { readonly parts: DomainParts; readonly sessions: Sessions },
  request: Request,
  response: Response,
): Promise<void> {
  const sessionId = request.headers['mcp-session-id'];
  const body: unknown = request.body;
  const known = typeof sessionId === 'string' ? sessions.find(sessionId) : null;
  if (known === null && typeof sessionId === 'string') {
    sendRpcError(response, { status: 404, message: 'Session not found. Initialize again.' });
    return;
  }
  if (known === null && !isInitializeRequest(body)) {
    sendRpcError(response, { status: 400, message: 'No session. Send `initialize` first.' });
    return;
  }
  const call = readCall(body, request.headers);
  const fault = call === null ? null : parts.faults.take(call.tool);
  if (call !== null && fault !== null && isPastMcp(fault)) {
    await playPastMcp({ parts, call, fault }, response);
    return;
  }
  const transport = known ?? (await sessions.start());
  const handle = async (): Promise<void> => await transport.handleRequest(request, response, body);
  if (call === null) await handle();
  else await parts.exchanges.run({ call, fault, dropConnection: () => void response.destroy() }, handle);
}

/** An error of JSON-RPC that belongs to no request. */
export function sendRpcError(response: Response, of: { readonly status: number; readonly message: string }): void {
  response.status(of.status).json({ jsonrpc: '2.0', error: { code: -32_000, message: of.message }, id: null });
}

type Faulty = { readonly parts: DomainParts; readonly call: ReadCall; readonly fault: Fault };

async function playPastMcp({ parts, call, fault }: Faulty, response: Response): Promise<void> {
  const result = runsTheTool(fault) ? await runPastMcp({ parts, call, fault }) : null;
  if (result === null) {
    logNotRun({ parts, call, fault });
    await playWireFault(fault, call, response);
  } else if (fault.afterCommit === true) await playWireFault(fault, call, response);
  else response.json({ jsonrpc: '2.0', id: call.id, result: spoilAnswer(result, fault) });
}

/** Runs the tool as MCP would; null where MCP would not: no such tool, or other arguments. */
async function runPastMcp({ parts, call, fault }: Faulty): Promise<CallToolResult | null> {
  const tool = parts.tools.find(({ name }) => name === call.tool);
  const args = tool?.input.safeParse(call.arguments);
  if (tool === undefined || args?.success !== true) return null;
  const { idempotencyKey, tenant } = call;
  const ask = (): Promise<never> => Promise.reject(new Error('Nobody can be asked.'));
  const { signal } = new AbortController();
  const incoming = { arguments: args.data, idempotencyKey, tenant, signal, fault, dropConnection: () => {}, ask };
  return await runTool(tool, incoming, parts);
}

function logNotRun({ parts, call, fault }: Faulty): void {
  parts.log.add({
    ...{ tool: call.tool, key: call.idempotencyKey, tenant: call.tenant, arguments: call.arguments },
    ...{ argumentsDigest: digest(call.arguments), at: new Date().toISOString() },
    ...{ effects: 0, outcome: 'not_run', fault: fault.kind },
  });
}
