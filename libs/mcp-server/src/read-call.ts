import { type IncomingHttpHeaders } from 'node:http';
import { idempotencyHeader, mcpMeta } from '@latch/contracts';
import { z } from 'zod';

const Meta = z.looseObject({
  [mcpMeta.idempotencyKey]: z.string().min(1).max(512).optional().catch(undefined),
  [mcpMeta.tenant]: z.string().min(1).max(256).optional().catch(undefined),
});

const ToolsCall = z.looseObject({
  method: z.literal('tools/call'),
  id: z.union([z.string(), z.number()]).optional(),
  params: z.looseObject({
    name: z.string(),
    arguments: z.unknown().optional(),
    _meta: Meta.optional(),
  }),
});

/** What a request says about the tool call in it, before MCP reads it. */
export type ReadCall = {
  readonly id: string | number | null;
  readonly tool: string;
  readonly arguments: unknown;
  readonly idempotencyKey: string | null;
  readonly tenant: string | null;
};

/** Reads a JSON-RPC body; null when it is no `tools/call`. The `_meta` entry wins over the header of the same meaning. */
export function readCall(body: unknown, headers: IncomingHttpHeaders): ReadCall | null {
  const parsed = ToolsCall.safeParse(body);
  if (!parsed.success) return null;
  const { id, params } = parsed.data;
  const header = headers[idempotencyHeader];
  return {
    id: id ?? null,
    tool: params.name,
    arguments: params.arguments ?? {},
    idempotencyKey:
      params._meta?.[mcpMeta.idempotencyKey] ?? (typeof header === 'string' && header !== '' ? header : null),
    tenant: params._meta?.[mcpMeta.tenant] ?? null,
  };
}
