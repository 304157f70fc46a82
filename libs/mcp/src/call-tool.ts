import { CallToolResult, type RawOutcome } from '@latch/contracts';
import { CallScope, currentScope } from './call-scope.ts';
import { callHeaders } from './guarded-fetch.ts';
import { idempotencyMetaKey, type McpCall, tenantMetaKey } from './mcp-call.ts';
import { isSessionRefusal } from './session-refusal.ts';
import { type Session, settled } from './session.ts';
import { type SessionPool } from './session-pool.ts';

/**
 * Makes one attempt of a tool call under a total deadline. Whatever a server does comes back as an outcome; nothing is thrown, and within the deadline
 * plus the time of one turn of the event loop the call is over and its socket closed.
 *
 * A session that the server has lost is opened anew and the request sent once more, because a request that was refused for its session never reached the
 * tool.
 */
export async function callTool(call: McpCall, sessions: SessionPool): Promise<RawOutcome> {
  const scope = new CallScope(callHeaders(call.idempotencyKey));
  const release = bindDeadline(call, scope);
  try {
    const first = await attempt(call, scope, sessions);
    return isLostSession(first) ? await attempt(call, scope, sessions) : first;
  } finally {
    release();
    scope.finish();
  }
}

async function attempt(call: McpCall, scope: CallScope, sessions: SessionPool): Promise<RawOutcome> {
  scope.refusal = null;
  scope.isSent = false;
  const lease = sessions.take(call);
  try {
    const opened = await Promise.race([lease.session, scope.failure]);
    if ('kind' in opened) return opened;
    if (!opened.ok) return opened.error;
    const outcome = await send(call, scope, opened.value);
    if (isLostSession(outcome)) lease.drop();
    return outcome;
  } finally {
    lease.giveBack();
  }
}

async function send(call: McpCall, scope: CallScope, session: Session): Promise<RawOutcome> {
  try {
    return await currentScope.run(scope, () => Promise.race([request(call, scope, session), scope.failure]));
  } catch (error) {
    const outcome = await settled(scope, error);
    return session.id !== undefined && isSessionRefusal(outcome)
      ? { ...outcome, session_lost: true, sent: false }
      : outcome;
  }
}

/** The result is taken as it comes: what is in it is read by `libs/outcome`, and an odd shape must not become a thrown error here. */
async function request(call: McpCall, scope: CallScope, { client }: Session): Promise<RawOutcome> {
  const params = { name: call.name, arguments: { ...call.arguments }, _meta: metaOf(call) };
  const result = await client.request({ method: 'tools/call', params }, CallToolResult, {
    signal: scope.signal,
    // The SDK's own timer leaves the socket open; ours does not, and always comes first.
    timeout: call.timeoutMs + 60_000,
  });
  return { kind: 'result', result };
}

function metaOf({ tenant, idempotencyKey, traceparent }: McpCall): Record<string, string> {
  return {
    [tenantMetaKey]: tenant,
    ...(idempotencyKey === undefined ? {} : { [idempotencyMetaKey]: idempotencyKey }),
    ...(traceparent === undefined ? {} : { traceparent }),
  };
}

function bindDeadline({ timeoutMs }: McpCall, scope: CallScope): () => void {
  const timer = setTimeout(() => scope.fail({ kind: 'timeout', timeout_ms: timeoutMs, sent: scope.isSent }), timeoutMs);
  return () => clearTimeout(timer);
}

function isLostSession(outcome: RawOutcome): boolean {
  return outcome.kind === 'http_error' && outcome.session_lost === true;
}
