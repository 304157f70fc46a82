import { hash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/** SHA-256 of the canonical JSON of `value`, in lower-case hex (64 characters). Equal values have equal digests. */
export function digest(value: unknown): string {
  return hash('sha256', canonicalJson(value), 'hex');
}

/**
 * The stable idempotency key of a confirmed proposal: `base64url(sha256("v1"|tenant|transaction|rev|tool))`, 43 characters.
 * Any retry, redelivery or restart of the same proposal computes the same key; another revision has another one.
 */
export function idempotencyKey(of: {
  readonly tenantId: string;
  readonly transactionId: string;
  readonly rev: number;
  readonly tool: string;
}): string {
  const parts = ['v1', of.tenantId, of.transactionId, String(of.rev), of.tool];
  return hash('sha256', JSON.stringify(parts), 'base64url');
}

/** The key of one item under a proposal's idempotency key: `<key>:<canonical item id>`. */
export function itemKey(key: string, itemId: string): string {
  return `${key}:${itemId}`;
}

/**
 * The digest of what a tool call does: tool, the schema that it was approved under (where one was pinned), final arguments and items. The engine stores it with its approval; the executor compares it with the
 * record that woke it, and refuses a difference.
 */
export function invocationDigest(of: {
  readonly tool_name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly items?: readonly unknown[] | undefined;
  readonly tool_schema_hash?: string | null | undefined;
}): string {
  const { tool_name: tool, arguments: args, items = [], tool_schema_hash: schema } = of;
  // Without a pinned schema it is the digest of before there were any: what is approved then stays approved.
  return digest({ tool, arguments: args, items, ...(typeof schema === 'string' ? { schema } : {}) });
}
