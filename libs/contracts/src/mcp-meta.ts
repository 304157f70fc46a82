/**
 * What Latch adds to a `tools/call`, for which MCP itself has no field. Client, sample servers and conformance lab say it in the same words.
 *
 * @see docs/reference/tool-execution.md
 */
export const mcpMeta = {
  /** The entry of `_meta` with the idempotency key. */
  idempotencyKey: 'latch/idempotency-key',
  /** The entry of `_meta` with the tenant, for domain servers that serve several. */
  tenant: 'latch/tenant-id',
} as const;

/** The HTTP header that carries the idempotency key too, in the lower case in which Node gives headers. */
export const idempotencyHeader = 'idempotency-key';
