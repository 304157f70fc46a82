import { CallToolResult, type RawOutcome } from '@latch/contracts';
import { type CallScope, type Question } from './call-scope.ts';
import { inSession } from './in-session.ts';
import { idempotencyMetaKey, type McpCall, tenantMetaKey } from './mcp-call.ts';
import { rarely } from './rarely.ts';
import { readAnswer } from './read-answer.ts';
import { type Session } from './session.ts';
import { type SessionPool } from './session-pool.ts';

/** Makes one attempt of a tool call under a total deadline. Whatever a server does comes back as an outcome; nothing is thrown. */
export async function callTool(call: McpCall, sessions: SessionPool): Promise<RawOutcome> {
  const done = await inSession(call, sessions, (session, scope) => request(call, scope, session));
  if (!done.ok) return done.error;
  return readAnswer(done.value.result, done.value.question);
}

type Answer = { readonly result: CallToolResult; readonly question: Question | null };

/** The result is taken as it comes: what is in it is read by `libs/outcome`, and an odd shape must not become a thrown error here. */
async function request(call: McpCall, scope: CallScope, { client }: Session): Promise<Answer> {
  const params = { name: call.name, arguments: { ...call.arguments }, _meta: metaOf(call) };
  const result = await client.request({ method: 'tools/call', params }, CallToolResult, {
    signal: scope.signal,
    // The SDK's own timer leaves the socket open; ours does not, and always comes first.
    timeout: call.timeoutMs + 60_000,
    ...(call.onProgress === undefined ? {} : { onprogress: rarely(call.onProgress) }),
  });
  return { result, question: scope.question };
}

function metaOf({ tenant, idempotencyKey, traceparent }: McpCall): Record<string, string> {
  return {
    [tenantMetaKey]: tenant,
    ...(idempotencyKey === undefined ? {} : { [idempotencyMetaKey]: idempotencyKey }),
    ...(traceparent === undefined ? {} : { traceparent }),
  };
}
