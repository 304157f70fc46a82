import { Instant, TransactionStatus } from '@latch/contracts';
import { z } from 'zod';

/** Names the tenant where there are no credentials; with a credential it may only repeat the credential's. */
const tenant_id = z
  .string()
  .min(1)
  .max(64)
  .optional()
  .describe('The tenant. The console must be told it; ingress has a default.');

/** The query of a read that belongs to a tenant and has nothing else to choose. */
export const TenantQuery = z.strictObject({ tenant_id });

/** The query of a read of a conversation that has nothing else to choose. */
export const ConversationQuery = z.strictObject({
  tenant_id: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('The tenant, where the caller wants to be sure: for it, a conversation of another one does not exist.'),
});

/** Which state of a conversation. */
export const StateQuery = ConversationQuery.extend({
  at: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000_000_000)
    .optional()
    .describe('Sequence of the event after which the state is wanted; 0: before the first. The latest when left out.'),
});

/** Which events of a conversation. */
export const EventsQuery = ConversationQuery.extend({
  after: z.coerce.number().int().min(0).max(1_000_000_000).default(0).describe('Sequence after which to begin.'),
  limit: z.coerce.number().int().min(1).max(500).default(100).describe('The most events of one answer.'),
});

/** Which transactions of a tenant. */
export const TransactionsQuery = z.strictObject({
  tenant_id,
  status: TransactionStatus.optional().describe('Only transactions in this state.'),
  tool: z.string().min(1).max(200).optional().describe('Only transactions of this tool.'),
  agent_id: z.string().min(1).max(64).optional().describe('Only transactions of this agent.'),
  since: Instant.optional().describe('Only transactions that started at this instant or later.'),
  limit: z.coerce.number().int().min(1).max(500).default(50).describe('The most transactions of one answer.'),
  cursor: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('Where the page before ended: as its `Link` says. The other filters stay the same.'),
});
