import { type ConversationKey } from '@latch/contracts';
import { type Sql } from './database.ts';
import { erasureEvent } from './bury-erased.ts';
import { type PersonalVault, personOf } from './personal-vault.ts';

/** Something that a person has said and that was not heard yet. */
export type Unheard = {
  readonly tenantId: string;
  readonly conversationKey: ConversationKey;
  /** User id; null or `anonymous` for a person who gave none. */
  readonly person: string | null;
  /** When it was accepted, UTC, by the clock of whoever accepted it. */
  readonly acceptedAt: string;
};

/** What has happened since. `conversation`: it has gone on. `erasure`: the personal data of the conversation or of the person was erased. */
export type Overtaking = 'conversation' | 'erasure';

/** Two clocks are compared, which agree within a second: what happened so shortly before it was said counts as later. */
const clockMarginMs = 1_000;

/**
 * Whether what a person said still belongs to the state that its conversation is in: nothing may have happened there since, and the person may not have been erased
 * (invariants I4 and I14). To be asked inside the transaction that handles it, behind the load that locks the conversation.
 */
export async function findOvertaking(sql: Sql, vault: PersonalVault, unheard: Unheard): Promise<Overtaking | null> {
  const { tenantId, conversationKey } = unheard;
  const sinceMs = Date.parse(unheard.acceptedAt) - clockMarginMs;
  const [last] = await sql<{ type: string; occurred_at: Date }>(
    `SELECT e.type, e.occurred_at FROM events e
     WHERE e.stream_id = (SELECT s.stream_id FROM streams s WHERE s.tenant_id = $1 AND s.conversation_key = $2)
     ORDER BY e.stream_version DESC LIMIT 1`,
    [tenantId, conversationKey],
  );
  if (last !== undefined && last.occurred_at.getTime() > sinceMs) {
    return last.type === erasureEvent ? 'erasure' : 'conversation';
  }
  const person = { tenantId, person: personOf(unheard) };
  const isErased = (await vault.keys?.wasErasedSince(sql, person, new Date(sinceMs).toISOString())) ?? false;
  return isErased ? 'erasure' : null;
}
