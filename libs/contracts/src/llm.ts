import { z } from 'zod';

/** A call to a model through a profile (SPEC-012 section 10). A model proposes words and readings; it never decides. */
export const LLMRequest = z.looseObject({
  tenant_id: z.string().min(1),
  agent_id: z.string().min(1),
  profile: z.string().min(1),
  operation: z.string().min(1),
  messages: z.array(z.looseObject({ role: z.enum(['system', 'user', 'assistant', 'tool']), content: z.string() })),
  metadata: z.record(z.string(), z.unknown()).optional(),
  contract_version: z.string().optional(),
});
export type LLMRequest = z.infer<typeof LLMRequest>;

/** The model's answer (SPEC-012 section 11). Token counts are whole numbers; latency is in milliseconds. */
export const LLMResponse = z.looseObject({
  provider: z.string(),
  model: z.string(),
  profile: z.string(),
  content: z.string(),
  usage: z.looseObject({
    input_tokens: z.number().int().nonnegative(),
    output_tokens: z.number().int().nonnegative(),
    total_tokens: z.number().int().nonnegative(),
  }),
  latency_ms: z.number().nonnegative(),
  contract_version: z.string().optional(),
});
export type LLMResponse = z.infer<typeof LLMResponse>;
