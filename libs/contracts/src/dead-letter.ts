import { z } from 'zod';
import { personal } from './personal.ts';
import { Instant } from './instant.ts';

/**
 * A message that could not be handled, kept whole so that it can be looked at and sent again. Nothing is lost.
 *
 * @example { source: { topic: 'latch.turns.v1', partition: 0, offset: '42' }, value_base64: 'bm90IGpzb24=', reason: { code: 'message.unparsable', ... }, ... }
 * @see DESIGN section 3
 */
export const DeadLetter = z
  .looseObject({
    source: z
      .looseObject({
        topic: z.string().min(1).meta({ description: 'Topic, with its prefix if any.', examples: ['latch.turns.v1'] }),
        partition: z.number().int().nonnegative().describe('Partition of the topic.'),
        offset: z.string().meta({ description: 'Offset in the partition, a whole number as text.', examples: ['42'] }),
        key: z.string().nullish().describe('Key of the message.'),
        headers: z.record(z.string(), z.string()).optional().describe('Headers of the message.'),
      })
      .describe('Where it came from: topic, partition and offset name the message for ever.'),
    value_base64: z
      .string()
      .describe('The original bytes of the value, in base64; only their beginning where `truncated_from_bytes` is set. Empty where `value_sealed` is set.').meta(personal),
    value_sealed: z
      .string()
      .optional()
      .describe('The same bytes, sealed under the key of the installation: `<key id>.<base64url>` (AES-256-GCM).'),
    truncated_from_bytes: z
      .number()
      .int()
      .positive()
      .optional()
      .describe('Length of the value in bytes, where it was too large to be kept whole.'),
    reason: z
      .looseObject({
        code: z.string().min(1).meta({ description: 'Code of the error catalogue.', examples: ['message.unparsable'] }),
        message: z.string().describe('What is wrong, masked; it repeats no value of the message.'),
      })
      .describe('Why it could not be handled.'),
    consumer: z.string().min(1).meta({ description: 'The consumer group that gave up.', examples: ['orchestrator'] }),
    attempts: z.number().int().positive().describe('How often it was tried.'),
    failed_at: Instant.describe('When it was given up, UTC.'),
    contract_version: z.string().optional().meta({ description: 'This contract.', examples: ['dead-letter-v1'] }),
  })
  .meta({
    description: 'A message that could not be handled, kept whole so that it can be looked at and sent again.',
    'x-source': 'DESIGN section 3',
  });
export type DeadLetter = z.infer<typeof DeadLetter>;
