import { z } from 'zod';
import { Instant } from './instant.ts';

/** A message that could not be handled, kept whole so that it can be looked at and sent again. Nothing is lost. */
export const DeadLetter = z.looseObject({
  /** Where it came from: topic, partition and offset name the message for ever. */
  source: z.looseObject({
    topic: z.string().min(1),
    partition: z.number().int().nonnegative(),
    offset: z.string(),
    key: z.string().nullish(),
    headers: z.record(z.string(), z.string()).optional(),
  }),
  /** The original bytes of the value, in base64. */
  value_base64: z.string(),
  reason: z.looseObject({ code: z.string().min(1), message: z.string() }),
  consumer: z.string().min(1),
  attempts: z.number().int().positive(),
  failed_at: Instant,
  contract_version: z.string().optional(),
});
export type DeadLetter = z.infer<typeof DeadLetter>;
