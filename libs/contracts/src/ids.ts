import { hash } from 'node:crypto';
import { z } from 'zod';

/** `tenant_id:agent_id:session_id`: one conversation, the unit of order and of the event stream. At most 512 characters. */
export const ConversationKey = z.string().min(1).max(512).brand<'ConversationKey'>();
export type ConversationKey = z.infer<typeof ConversationKey>;

/** A transaction, from the first recognized intent to its terminal state. */
export const TransactionId = z.string().min(1).max(64).brand<'TransactionId'>();
export type TransactionId = z.infer<typeof TransactionId>;

/** One user message in the system: the `event_id` of its turn event. A repeated message has the same id. */
export const TurnId = z.string().min(1).max(64).brand<'TurnId'>();
export type TurnId = z.infer<typeof TurnId>;

/** One logical tool call (validation, read or execution). Retries keep it. */
export const InvocationId = z.string().min(1).max(64).brand<'InvocationId'>();
export type InvocationId = z.infer<typeof InvocationId>;

/** A proposal shown to the user: the hash of everything that a yes approves. */
export const ProposalId = z.string().min(1).max(64).brand<'ProposalId'>();
export type ProposalId = z.infer<typeof ProposalId>;

/** The UUID namespace of every name-based id that Latch mints. */
const latchNamespace = 'b7a3c1f2-6f0e-4d55-9c0a-1a7c4e1d9b10';

const namespaceBytes = Buffer.from(latchNamespace.replaceAll('-', ''), 'hex');

/**
 * A name-based UUID (RFC 9562, version 5): the same parts give the same id on every machine, so that a redelivered cause has a
 * redelivered, not a second, effect. Parts are length-delimited, so that `["a:b"]` and `["a", "b"]` differ.
 */
export function deterministicId(...parts: readonly (string | number)[]): string {
  const name = Buffer.from(JSON.stringify(parts.map(String)));
  const hex = hash('sha1', Buffer.concat([namespaceBytes, name]), 'hex');
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The conversation key of a session; a session id that is already prefixed with its tenant and agent is kept as it is. */
export function conversationKeyOf(of: {
  readonly tenant_id: string;
  readonly agent_id: string;
  readonly session_id: string;
}): ConversationKey {
  const prefix = `${of.tenant_id}:${of.agent_id}:`;
  return ConversationKey.parse(of.session_id.startsWith(prefix) ? of.session_id : prefix + of.session_id);
}

/** The turn id of a message: the same tenant, agent, channel, user, session and message id always give the same turn (invariant I2). */
export function turnIdOf(of: {
  readonly conversationKey: string;
  readonly channel: string;
  readonly userId: string;
  readonly messageId: string;
}): TurnId {
  return TurnId.parse(deterministicId('turn', of.conversationKey, of.channel, of.userId, of.messageId));
}
