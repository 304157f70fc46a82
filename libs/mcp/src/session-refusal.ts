import { type RawOutcome } from '@latch/contracts';
import { z } from 'zod';

/**
 * Whether an answer to a request that named a session refuses the session, and so certainly never reached a tool: 404, as MCP says (Streamable HTTP,
 * "Session Management"), or exactly what servers of the SDK answer with 400. Any other 400 is the tool's own word, also one that speaks of a session: taking
 * it for a lost session would send a call with an effect twice.
 */
export function isSessionRefusal(outcome: RawOutcome): boolean {
  if (outcome.kind !== 'http_error') return false;
  return outcome.status === 404 || (outcome.status === 400 && isSdkRefusal(outcome.body));
}

/**
 * The transport of SDK 1.x without a session of this id, and the server that its examples show. They share code -32000 with other refusals, so the message
 * has to be the very one; a spec compares the first two with the installed SDK.
 */
const SdkRefusal = z.strictObject({
  jsonrpc: z.literal('2.0'),
  // Null: refused by the transport, before anything read which request it was.
  id: z.null(),
  error: z.strictObject({
    code: z.literal(-32_000),
    message: z.enum([
      'Bad Request: Server not initialized',
      'Bad Request: Mcp-Session-Id header is required',
      'Bad Request: No valid session ID provided',
    ]),
  }),
});

function isSdkRefusal(body: string): boolean {
  try {
    return SdkRefusal.safeParse(JSON.parse(body)).success;
  } catch {
    return false;
  }
}
