import { z } from 'zod';
import { EventEnvelope } from './event-envelope.ts';
import { Instant } from './instant.ts';

/**
 * Everything that proves what happened in one transaction, in one file that can be checked without a database.
 *
 * @example { transaction_id: 'tx-1', conversation_key: 'default:retail_orders:s-1', events: [{ envelope: { ... }, hash: '9f86…' }], head_hash: '9f86…', ... }
 * @see DESIGN section 8
 */
export const EvidenceBundle = z
  .looseObject({
    contract_version: z.string().optional().meta({ description: 'This contract.', examples: ['evidence-bundle-v1'] }),
    transaction_id: z.string().min(1).describe('The transaction.'),
    conversation_key: z.string().min(1).describe('The conversation in which it happened.'),
    tenant_id: z.string().min(1).describe('The tenant.'),
    agent_id: z.string().min(1).describe('The agent.'),
    config_digest: z.string().nullish().describe('The agent configuration that the transaction was pinned to.'),
    exported_at: Instant.describe('When the file was made, UTC.'),
    events: z
      .array(
        z.looseObject({
          envelope: EventEnvelope,
          hash: z.string().describe('SHA-256 over the event and the hash before it, in hex.'),
        }),
      )
      .describe("The conversation's events, in order, each chained to the one before."),
    head_hash: z.string().describe('The hash of the last event.'),
  })
  .meta({
    description:
      'Everything that proves what happened in one transaction, in one file that can be checked without a database.',
    'x-source': 'DESIGN section 8',
  });
export type EvidenceBundle = z.infer<typeof EvidenceBundle>;
