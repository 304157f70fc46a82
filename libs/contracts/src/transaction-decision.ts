import { z } from 'zod';
import { pinned } from './pinned.ts';

/**
 * What a pre-validator decides: canonical arguments, the tool to run and the question to ask.
 *
 * @example { target_tool: 'cancelar_vas_avulso', confirmation_message: 'Você confirma o cancelamento de TIM Fashion Mensal?' }
 * @see seeds/000 section 3
 */
export const TransactionDecision = z
  .looseObject({
    resolved_arguments: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Canonical arguments; they replace what was collected.').meta(pinned('They replace the collected arguments and are what is shown, confirmed and sent.')),
    target_tool: z
      .string()
      .optional()
      .meta({ description: 'The tool to run instead of the one asked for.', examples: ['cancelar_vas_avulso'] }),
    confirmation_message: z.string().optional().describe('The question that asks for the one confirmation.'),
  })
  .meta({
    description: 'What a pre-validator decides: canonical arguments, the tool to run and the question to ask.',
    'x-source': 'seeds/000 section 3',
  });
export type TransactionDecision = z.infer<typeof TransactionDecision>;

/**
 * The answer of a pre-validation tool.
 *
 * @example { eligible: false, reason: 'O pedido já foi entregue' }
 * @see seeds/000 section 3
 */
export const PreValidationAnswer = z.looseObject({
  eligible: z.boolean().describe('Global: false ends the transaction unless the policy fails open.').meta(pinned('Of the whole request. False is a decision of the domain; a validator that failed has not decided.')),
  status: z.string().optional().describe("The validator's own status."),
  reason: z.string().nullish().describe('Why it is not eligible.'),
  message: z.string().nullish().describe('The same, for the user.'),
  transaction_decision: TransactionDecision.optional(),
})
  .meta({
    description: 'The answer of a pre-validation tool.',
    'x-source': 'seeds/000 section 3',
  });
export type PreValidationAnswer = z.infer<typeof PreValidationAnswer>;
