import { turnIdOf } from '@latch/contracts';
import type { StoredTurn } from '@latch/event-store';
import { type Principal } from '@latch/http';
import { type Ingress } from './ingress.ts';

/** A turn, as far as its id is made of it. */
type Known = Pick<StoredTurn, 'turnId' | 'conversationKey' | 'messageId'>;

/**
 * Whether a caller may know a turn of its tenant: who may read may know all, and so may who speaks for others; a user knows its own. That needs no record of who
 * spoke: the id of a turn is made of its user, so only the right one makes it again.
 */
export function isTurnOf(
  { scopes, userId }: Pick<Principal, 'scopes' | 'userId'>,
  { turnId, conversationKey, messageId }: Known,
  agents: Ingress['config']['agents'],
): boolean {
  if (userId === null || scopes.includes('read')) return true;
  const [, agentId = ''] = conversationKey.split(':');
  const channels = Object.hasOwn(agents, agentId) ? (agents[agentId]?.channels ?? []) : [];
  return channels.some((channel) => turnIdOf({ conversationKey, channel, userId, messageId }) === turnId);
}
