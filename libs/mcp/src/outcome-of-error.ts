import { type RawOutcome } from '@latch/contracts';
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { type CallScope } from './call-scope.ts';

/** Turns what the SDK throws into an outcome. Anything that is neither an HTTP nor a JSON-RPC error is an answer that is no MCP. */
export function outcomeOfError(error: unknown, scope: CallScope): RawOutcome {
  if (error instanceof McpError) return protocolError(error);
  if (scope.refusal !== null) return httpError(scope.refusal, error);
  const message = error instanceof Error ? error.message : String(error);
  const code = scope.isSent ? 'result_unreadable' : 'unreachable';
  return { kind: 'transport_error', code, message: message.slice(0, 1_000), sent: scope.isSent };
}

function protocolError({ code, message, data }: McpError): RawOutcome {
  return { kind: 'protocol_error', code, message: message.replace(/^MCP error -?\d+: /, ''), data };
}

const sdkPrefix = 'Streamable HTTP error: Error POSTing to endpoint: ';

function httpError({ status, retryAfter }: NonNullable<CallScope['refusal']>, error: unknown): RawOutcome {
  const text = error instanceof StreamableHTTPError ? error.message : '';
  return {
    kind: 'http_error',
    status,
    body: text.startsWith(sdkPrefix) ? text.slice(sdkPrefix.length) : '',
    retry_after: retryAfter,
  };
}
