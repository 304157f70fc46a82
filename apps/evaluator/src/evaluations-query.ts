import { z } from 'zod';

/** Which evaluations. Strict: a misspelled filter must not look like an empty result. */
export const EvaluationsQuery = z.strictObject({
  conversation_key: z.string().min(1).max(512).describe('tenant_id:agent_id:session_id.'),
  limit: z.coerce.number().int().min(1).max(500).default(50).describe('At most so many.'),
});
