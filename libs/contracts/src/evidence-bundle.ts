import { z } from 'zod';
import { EventEnvelope } from './event-envelope.ts';
import { Instant } from './instant.ts';

/** Everything that proves what happened in one transaction, in one file that can be checked without a database. */
export const EvidenceBundle = z.looseObject({
  contract_version: z.string().optional(),
  transaction_id: z.string().min(1),
  conversation_key: z.string().min(1),
  tenant_id: z.string().min(1),
  agent_id: z.string().min(1),
  config_digest: z.string().nullish(),
  exported_at: Instant,
  /** The conversation's events, in order, with the hash that chains each to the one before. */
  events: z.array(z.looseObject({ envelope: EventEnvelope, hash: z.string() })),
  head_hash: z.string(),
});
export type EvidenceBundle = z.infer<typeof EvidenceBundle>;
