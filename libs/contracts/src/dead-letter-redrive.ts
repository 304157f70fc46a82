import { z } from 'zod';
import { Instant } from './instant.ts';

/**
 * An operator sends the message of a dead letter again. There are two for each letter: one before the message goes back on its topic, one when it is there, or when
 * the topic does not take it. A first one without its second one tells that the sending broke off, and that the message may be there or not.
 *
 * @example { letter: { event_id: '...', partition: 2, offset: '17' }, source: { topic: 'latch.turns.v1', partition: 0, offset: '42' }, step: 'sent', by: 'ana', ... }
 * @see ADR 14
 */
export const DeadLetterRedrive = z
  .looseObject({
    letter: z
      .looseObject({
        event_id: z.string().min(1).describe('Event id of the dead letter.'),
        partition: z.number().int().nonnegative().describe('Its partition of the dead-letter topic.'),
        offset: z.string().meta({ description: 'Its offset there, a whole number as text.', examples: ['17'] }),
      })
      .describe('The dead letter whose message is sent again.'),
    source: z
      .looseObject({
        topic: z.string().min(1).meta({ description: 'Topic, without a prefix.', examples: ['latch.turns.v1'] }),
        partition: z.number().int().nonnegative().describe('Partition of the topic.'),
        offset: z.string().meta({ description: 'Offset in the partition, a whole number as text.', examples: ['42'] }),
      })
      .describe('Where the message had been when it died; it goes back on the same topic.'),
    step: z
      .enum(['begun', 'sent', 'refused'])
      .describe('`begun`: it is about to be sent. `sent`: its topic has it. `refused`: its topic does not take it.'),
    by: z.string().min(1).max(100).describe('Who sends it again.'),
    run_id: z.string().min(1).describe('The run of the command.'),
    at: Instant.describe('When, UTC.'),
    contract_version: z.string().optional().meta({ description: 'This contract.', examples: ['dead-letter-redrive-v1'] }),
  })
  .meta({
    description: 'An operator sends the message of a dead letter again.',
    'x-source': 'ADR 14',
  });
export type DeadLetterRedrive = z.infer<typeof DeadLetterRedrive>;
