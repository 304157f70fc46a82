import { z } from 'zod';
import { EventEnvelope } from './event-envelope.ts';
import { EvidenceReceipt, EvidenceSealProof, EvidenceTurn } from './evidence-parts.ts';
import { Instant } from './instant.ts';
import { ResultItem } from './tool-result.ts';

const hash = z.string().meta({ examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] });

/** An event of the transaction, whole. */
const EvidenceEvent = z.looseObject({
  envelope: EventEnvelope,
  hash: z.string().describe('SHA-256 over the event and the hash before it, in hex.'),
  stored: z
    .string()
    .optional()
    .describe('The payload exactly as it is stored and hashed: canonical JSON, its personal fields sealed.'),
  opening: z
    .string()
    .nullish()
    .describe('Opens the sealed part of `stored` and nothing else; base64url. Null where nothing is sealed, or it is erased.'),
});

/** Any event of the conversation, as a link of the chain: everything that is hashed but the payload itself. */
const EvidenceLink = z.looseObject({
  sequence: z.number().int().positive().describe('Position in the stream, from 1.'),
  event_id: z.string().describe('The event.'),
  type: z.string().describe('Name of the stored fact.'),
  occurred_at: Instant.describe('When it happened, UTC.'),
  causation_id: z.string().nullable().describe('What caused it.'),
  message_id: z.string().nullable().describe("The user's message."),
  transaction_id: z.string().nullable().describe('The transaction that it is about.'),
  trace_id: z.string().describe('W3C trace id.'),
  payload_digest: hash.describe('SHA-256 of the stored payload, in hex.'),
  hash: hash.describe('Hash of the event: over all of the above and the hash of the link before.'),
});

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
    exported_by: z.string().optional().meta({ description: 'Release of Latch that made it.', examples: ['0.1.0'] }),
    locale: z.string().optional().describe("The agent's language."),
    erased: z.boolean().optional().describe('Whether personal data of the transaction was erased before: then the chain proves it, and the words are gone.'),
    events: z
      .array(EvidenceEvent)
      .describe("The events of the transaction and of its turns, in order. `chain` links them with the conversation's others."),
    chain: z
      .looseObject({
        algorithm: z.literal('sha256-chain-v1'),
        stream_id: z.string().describe('The stream of the conversation.'),
        genesis_hash: hash.describe('What the first event is chained to.'),
        links: z.array(EvidenceLink).describe('Every event of the conversation, without its payload.'),
      })
      .optional()
      .describe('What is needed to compute the chain again, from the first event of the conversation to its head.'),
    head_hash: z.string().describe('The hash of the last event of the conversation.'),
    seals: z.array(EvidenceSealProof).optional().describe('Signed seals that cover the conversation.'),
    public_keys: z.array(z.string()).optional().describe('Public keys of the seals, SPKI in base64. Whoever checks should know them from elsewhere.'),
    contracts: z.record(z.string(), z.string()).optional().describe('The version of each contract that the file uses.'),
    configurations: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .describe('The agent configurations that the decisions were made with, each with its digest.'),
    transaction: z
      .looseObject({
        tool: z.string().describe('The tool that it runs.'),
        status: z.string().describe('Its state.'),
        rev: z.number().int().describe('Revision of the proposal; 0 before the first.'),
        outcome: z.string().nullable().describe('The verdict; null before there is one.'),
        started_at: Instant.describe('When it began, UTC.'),
        ended_at: Instant.nullable().describe('When it ended, UTC; null while it is open.'),
      })
      .optional()
      .describe('The transaction as it stood when the file was made.'),
    items: z.array(ResultItem).optional().describe('The outcome of each item.'),
    capsules: z
      .array(
        z.looseObject({
          proposal_id: z.string().describe('The capsule: the digest of all that a yes approves.'),
          rev: z.number().int().describe('Its revision.'),
          sequence: z.number().int().describe('The event that showed the proposal.'),
          confirmed_in: z.number().int().nullable().describe('The event of its yes; null when it got none.'),
        }),
      )
      .optional()
      .describe('Every proposal that was shown, computed again when the file was made.'),
    receipts: z.array(EvidenceReceipt).optional().describe('What the executor did: each call with its attempts and its outcome.'),
    turns: z.array(EvidenceTurn).optional().describe('What was said and answered, in order.'),
    digest: z.string().optional().describe('SHA-256 over the canonical JSON of all the rest: finds any change that is not deliberate.'),
  })
  .meta({
    description:
      'Everything that proves what happened in one transaction, in one file that can be checked without a database.',
    'x-source': 'DESIGN section 8',
  });
export type EvidenceBundle = z.infer<typeof EvidenceBundle>;
