import { z } from 'zod';
import { Instant } from './instant.ts';
import { InvocationPurpose, ToolInvocation } from './tool-invocation.ts';
import { Attempt, ToolExecution } from './tool-execution.ts';

/**
 * What the executor's ledger holds of one call.
 *
 * @example { invocation_id: 'inv-1', purpose: 'execution', tool: 'retail_order_cancel', approved_digest: '9f86…', status: 'DONE', attempts: [...], ... }
 * @see DESIGN section 6
 */
export const EvidenceReceipt = z.looseObject({
  invocation_id: z.string().min(1).describe('The logical call.'),
  purpose: InvocationPurpose.describe('Why the tool was called.'),
  tool: z.string().min(1).describe('The tool.'),
  idempotency_key: z.string().describe('The one key of all its attempts.'),
  proposal_id: z.string().nullable().describe('The proposal whose yes approved it; null where none was needed.'),
  approved_digest: z.string().describe('Digest of tool, arguments and items, as the engine approved them.'),
  invocation: ToolInvocation.describe('The call as it was approved.'),
  status: z.enum(['CLAIMED', 'STARTED', 'DONE']).describe('How far it came.'),
  attempts: z.array(Attempt).describe('Every attempt, in order.'),
  execution: ToolExecution.nullable().describe('The recorded outcome; null unless DONE, or where it is erased.'),
});
export type EvidenceReceipt = z.infer<typeof EvidenceReceipt>;

/**
 * What was said in one turn and what was answered.
 *
 * @example { turn_id: 't-1', message_id: 'm-1', sequence: 1, said_at: '2026-06-19T12:00:00Z', said: 'sim', answer: { sequence: 4, ... } }
 * @see DESIGN section 8
 */
export const EvidenceTurn = z.looseObject({
  turn_id: z.string().describe('The turn.'),
  message_id: z.string().describe("The user's message."),
  sequence: z.number().int().describe('The event that received it.'),
  said_at: Instant.describe('When it reached Latch, UTC.'),
  channel: z.string().describe('Where it came from.'),
  said: z.string().nullable().describe('The words; null when they are erased.'),
  inputs: z.unknown().optional().describe('What a button or form sent.'),
  answer: z
    .looseObject({
      sequence: z.number().int().describe('The event that answered it.'),
      text: z.string().nullable().describe('The words; null when they are erased.'),
      answered_at: Instant.describe('When it was answered, UTC.'),
    })
    .nullable()
    .describe('Null as long as it is not answered.'),
});
export type EvidenceTurn = z.infer<typeof EvidenceTurn>;

/**
 * A signed seal, and the proof that it signs a head of the conversation.
 *
 * @example { seal: { number: 7, ... }, head: { version: 12, hash: '9f86…' }, proof: [{ side: 'right', hash: '60303…' }] }
 * @see DESIGN section 8
 */
export const EvidenceSealProof = z.looseObject({
  seal: z
    .looseObject({
      number: z.number().int().positive().describe('From 1, without gaps.'),
      previous_hash: z.string().describe('Hash of the seal before.'),
      sealed_at: Instant.describe('When it was made, UTC.'),
      written_by: z.string().describe('How far in the global order of events it reaches: the transaction.'),
      position: z.string().describe('How far it reaches: the place.'),
      events: z.number().int().describe('How many events it covers for the first time.'),
      heads: z.number().int().describe('How many streams it signs the heads of.'),
      heads_digest: z.string().describe('Root of the hash tree over all heads that it signs.'),
      key_id: z.string().describe('Which public key checks it.'),
      hash: z.string().describe('What is signed.'),
      signature: z.string().describe('Ed25519, base64.'),
    })
    .describe('The seal.'),
  head: z
    .looseObject({
      version: z.number().int().positive().describe('Position of the event in the stream.'),
      hash: z.string().describe('Its hash.'),
    })
    .describe('The event of the conversation whose hash it signs.'),
  proof: z
    .array(z.looseObject({
        side: z.enum(['left', 'right']).describe('On which side the neighbour stands.'),
        hash: z.string().describe('The hash of the neighbour.'),
      }))
    .describe('The way from the head to the root.'),
});
export type EvidenceSealProof = z.infer<typeof EvidenceSealProof>;
