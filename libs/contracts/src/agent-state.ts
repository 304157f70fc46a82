import { z } from 'zod';
import { pinned } from './pinned.ts';

/**
 * Every state of a transaction that is ever published.
 *
 * @example 'AWAITING_CONFIRMATION'
 * @see seeds/002 section 3; DESIGN section 4
 */
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
 * The internal state of a conversation as it is shown outside. `active_transaction` is the only source of truth; `selected_tool_call` and
 * `pending_tool_call` are derived for compatibility and never read back.
 *
 * @example { conversation_key: 'default:retail_orders:s-1', transaction_status: 'COLLECTING_PARAMETERS', missing_parameters: ['order_id'], ... }
 * @see SPEC-012 section 7; seeds/002 section 3
 */
export const AgentState = z
  .looseObject({
    tenant_id: z.string().describe('The tenant.'),
    agent_id: z.string().describe('The agent.'),
    session_id: z.string().describe('The session of the channel, without prefix.'),
    conversation_key: z.string().describe('`tenant_id:agent_id:session_id`.'),
    channel: z.string().optional().describe('The channel of the last message.'),
    message_id: z.string().optional().describe('The last message.'),
    user_text: z.string().optional().describe('What the user wrote last.'),
    sanitized_input: z.string().optional().describe('The same, as far as it may be shown to a model.'),
    response_text: z.string().optional().describe('What was answered last.'),
    route: z.string().nullish().describe('Where routing.yaml sent the last message.'),
    intent: z.string().nullish().describe('The intent of the last message, where one was clear.'),
    business_context: OpenRecord.optional().describe('The BusinessContext of the conversation.'),
    mcp_tools: z.array(z.string()).optional().describe('Names of the tools that the agent may call.'),
    mcp_results: z.array(OpenRecord).optional().describe('ToolResults of the last turn.'),
    rag_context: z.string().optional().describe('Text that was looked up for the last turn.'),
    guardrails: z.array(OpenRecord).optional().describe('Verdicts of the guardrails.'),
    judges: z.array(OpenRecord).optional().describe('Verdicts of the judges.'),
    active_transaction: OpenRecord.nullable().describe('The open transaction; null when none is.'),
    last_transaction: OpenRecord.nullable().describe('The last one that ended. It never revives.'),
    parked_transactions: z.array(OpenRecord).optional().describe('Interrupted ones, the last first; resumable.'),
    transaction_status: TransactionStatus.describe('State of the open transaction; IDLE when none is.'),
    missing_parameters: z.array(z.string()).describe('Parameters that are still asked for, in order.'),
    confirmation_required: z.boolean().describe('Whether the tool runs only after a yes.'),
    confirmation_received: z.boolean().describe('Whether the current proposal was confirmed.').meta(pinned('The user said yes to the proposal that is current now, and to no other.')),
    transaction_pre_validation: OpenRecord.nullable().describe('What the validator said.'),
    transaction_evidence: z.array(OpenRecord).describe('References to what the state rests on.'),
    next_state: z.string().describe('Where the transaction goes when nothing gets in the way.'),
    selected_tool_call: OpenRecord.nullable().describe('Derived: the tool and arguments collected so far.'),
    pending_tool_call: OpenRecord.nullable().describe('Derived: the call that awaits its yes or its result.'),
  })
  .meta({
    description: 'The internal state of a conversation as it is shown outside.',
    'x-source': 'SPEC-012 section 7; seeds/002 section 3',
  });
export type AgentState = z.infer<typeof AgentState>;
