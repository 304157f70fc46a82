import { z } from 'zod';

/** What a pre-validator decides (seeds/000 section 3): canonical arguments, the tool to run and the question to ask. */
export const TransactionDecision = z.looseObject({
  resolved_arguments: z.record(z.string(), z.unknown()).optional(),
  target_tool: z.string().optional(),
  confirmation_message: z.string().optional(),
});
export type TransactionDecision = z.infer<typeof TransactionDecision>;

/** The answer of a pre-validation tool. `eligible` is global: false ends the transaction unless the policy fails open. */
export const PreValidationAnswer = z.looseObject({
  eligible: z.boolean(),
  status: z.string().optional(),
  reason: z.string().nullish(),
  message: z.string().nullish(),
  transaction_decision: TransactionDecision.optional(),
});
export type PreValidationAnswer = z.infer<typeof PreValidationAnswer>;
