import { CallToolResult, mcpMeta, type RawOutcome } from '@latch/contracts';
import { type CallScope, type Question } from './call-scope.ts';
import { inSession } from './in-session.ts';
import { type McpCall } from './mcp-call.ts';
import { maxNesting, nestsDeeper } from './nests-deeper.ts';
import { rarely } from './rarely.ts';
import { readAnswer } from './read-answer.ts';
import { type Session } from './session.ts';
import { type SessionPool } from './session-pool.ts';

/** Makes one attempt of a tool call under a total deadline. Whatever a server does comes back as an outcome; nothing is thrown. */
export async function callTool(call: McpCall, sessions: SessionPool): Promise<RawOutcome> {
  const done = await inSession(call, sessions, (session, scope) => request(call, scope, session));
  const outcome = done.ok ? readAnswer(done.value.result, done.value.question) : done.error;
  return nestsDeeper(outcome) ? tooDeep : outcome;
}

/** What nests without end can neither be recorded nor passed on, so it must not get further than here: the answer came, and nobody can read it. */
const tooDeep: RawOutcome = {
  kind: 'transport_error',
  code: 'result_unreadable',
  message: `The answer nests deeper than ${maxNesting} levels.`,
  sent: true,
};

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
    [mcpMeta.tenant]: tenant,
    ...(idempotencyKey === undefined ? {} : { [mcpMeta.idempotencyKey]: idempotencyKey }),
    ...(traceparent === undefined ? {} : { traceparent }),
  };
}
