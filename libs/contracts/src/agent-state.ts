import { z } from 'zod';

/** Every state of a transaction that is ever published (DESIGN section 4). */
export const TransactionStatus = z.enum([
  'IDLE',
  'COLLECTING_PARAMETERS',
  'PRE_VALIDATION',
  'AWAITING_CONFIRMATION',
  'EXECUTING',
  'OUTCOME_UNKNOWN',
  'INTERRUPTED',
  'COMPLETED',
  'CANCELLED',
  'OUT_OF_SCOPE',
  'FAILED',
  'EXPIRED',
]);
export type TransactionStatus = z.infer<typeof TransactionStatus>;

const OpenRecord = z.record(z.string(), z.unknown());

/**
 * The internal state of a conversation as it is shown outside (SPEC-012 section 7, seeds/002 section 3). `active_transaction` is the only source of
 * truth; `selected_tool_call` and `pending_tool_call` are derived for compatibility and never read back.
 */
export const AgentState = z.looseObject({
  tenant_id: z.string(),
  agent_id: z.string(),
  session_id: z.string(),
  conversation_key: z.string(),
  channel: z.string().optional(),
  message_id: z.string().optional(),
  user_text: z.string().optional(),
  sanitized_input: z.string().optional(),
  response_text: z.string().optional(),
  route: z.string().nullish(),
  intent: z.string().nullish(),
  business_context: OpenRecord.optional(),
  mcp_tools: z.array(z.string()).optional(),
  mcp_results: z.array(OpenRecord).optional(),
  rag_context: z.string().optional(),
  guardrails: z.array(OpenRecord).optional(),
  judges: z.array(OpenRecord).optional(),
  active_transaction: OpenRecord.nullable(),
  last_transaction: OpenRecord.nullable(),
  parked_transactions: z.array(OpenRecord).optional(),
  transaction_status: TransactionStatus,
  missing_parameters: z.array(z.string()),
  confirmation_required: z.boolean(),
  confirmation_received: z.boolean(),
  transaction_pre_validation: OpenRecord.nullable(),
  transaction_evidence: z.array(OpenRecord),
  next_state: z.string(),
  selected_tool_call: OpenRecord.nullable(),
  pending_tool_call: OpenRecord.nullable(),
});
export type AgentState = z.infer<typeof AgentState>;
