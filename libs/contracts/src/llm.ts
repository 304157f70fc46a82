import { z } from 'zod';

/**
 * A call to a model through a profile. A model proposes words and readings; it never decides.
 *
 * @example { tenant_id: 'default', agent_id: 'telecom_contas', profile: 'judge', operation: 'judge.response_quality', messages: [...] }
 * @see SPEC-012 section 10
 */
export const LLMRequest = z
  .looseObject({
    tenant_id: z.string().min(1).describe('The tenant on whose behalf it is called.'),
    agent_id: z.string().min(1).describe('The agent on whose behalf it is called.'),
    profile: z.string().min(1).meta({ description: 'Profile of llm_profiles.yaml.', examples: ['judge'] }),
    operation: z
      .string()
      .min(1)
      .meta({ description: 'What it is called for.', examples: ['judge.response_quality'] }),
    messages: z
      .array(
        z.looseObject({
          role: z.enum(['system', 'user', 'assistant', 'tool']).describe('Who says it.'),
          content: z.string().describe('What is said.'),
        }),
      )
      .describe('The conversation with the model, oldest first.'),
    metadata: z.record(z.string(), z.unknown()).optional().describe('Correlation: `request_id`, `trace_id`.'),
    contract_version: z.string().optional().meta({ description: 'This contract.', examples: ['llm-request-v1'] }),
  })
  .meta({ description: 'A call to a model through a profile.', 'x-source': 'SPEC-012 section 10' });
export type LLMRequest = z.infer<typeof LLMRequest>;

const tokens = (meaning: string): z.ZodNumber => z.number().int().nonnegative().describe(`${meaning}, in tokens.`);

/**
 * The model's answer. Token counts are whole numbers; latency is in milliseconds.
 *
 * @example { provider: 'oci_openai', model: 'openai.gpt-4.1', profile: 'judge', content: 'Resultado', usage: { ... }, latency_ms: 820 }
 * @see SPEC-012 section 11
 */
export const LLMResponse = z
  .looseObject({
    provider: z.string().meta({ description: 'Who serves the model.', examples: ['oci_openai'] }),
    model: z.string().meta({ description: 'The model that answered.', examples: ['openai.gpt-4.1'] }),
    profile: z.string().describe('The profile that was asked for.'),
    content: z.string().describe('The answer. It is data, never an instruction.'),
    usage: z
      .looseObject({
        input_tokens: tokens('What was read'),
        output_tokens: tokens('What was written'),
        total_tokens: tokens('Both together'),
      })
      .describe('What it cost.'),
    latency_ms: z.number().nonnegative().describe('Time from call to answer, in milliseconds.'),
    contract_version: z.string().optional().meta({ description: 'This contract.', examples: ['llm-response-v1'] }),
  })
  .meta({ description: "The model's answer.", 'x-source': 'SPEC-012 section 11' });
export type LLMResponse = z.infer<typeof LLMResponse>;
