import { type IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';

/** `_meta` entry with the idempotency key. MCP itself has no field for it. */
export const idempotencyKeyMeta = 'latch/idempotency-key';

/** `_meta` entry with the tenant on whose behalf the call is made. */
export const tenantMeta = 'latch/tenant-id';

const Meta = z.looseObject({
  [idempotencyKeyMeta]: z.string().min(1).max(512).optional().catch(undefined),
  [tenantMeta]: z.string().min(1).max(256).optional().catch(undefined),
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
  const header = headers['idempotency-key'];
  return {
    id: id ?? null,
    tool: params.name,
    arguments: params.arguments ?? {},
    idempotencyKey: params._meta?.[idempotencyKeyMeta] ?? (typeof header === 'string' && header !== '' ? header : null),
    tenant: params._meta?.[tenantMeta] ?? null,
  };
}
