import { z } from 'zod';

const noNul = 'must not hold U+0000';

/** Which evaluations. Strict: a misspelled filter must not look like an empty result. */
export const EvaluationsQuery = z.strictObject({
  tenant_id: z
    .string()
    .min(1)
    .max(64)
    .refine(hasNoNul, noNul)
    .optional()
    .describe('The tenant, where the caller wants to be sure: for it, a conversation of another one has none.'),
  conversation_key: z.string().min(1).max(512).refine(hasNoNul, noNul).describe('tenant_id:agent_id:session_id.'),
  limit: z.coerce.number().int().min(1).max(500).default(50).describe('At most so many.'),
});

/** Postgres has no such text, and so no name in it. */
function hasNoNul(text: string): boolean {
  return !text.includes('\u0000');
}
