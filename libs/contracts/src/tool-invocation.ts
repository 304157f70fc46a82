import { z } from 'zod';
import { personal } from './personal.ts';
import { BusinessContext } from './business-context.ts';
import { Instant } from './instant.ts';
import { pinned } from './pinned.ts';

/**
 * Why the engine calls a tool. Only `execution` may have an effect, and only under a confirmed proposal or a policy that needs none.
 *
 * @example 'pre_validation'
 * @see DESIGN section 5
 */
export const InvocationPurpose = z.enum(['pre_validation', 'execution', 'reconcile']);
export type InvocationPurpose = z.infer<typeof InvocationPurpose>;

/**
 * What a tool may do to the world.
 *
 * @example 'transactional'
 * @see seeds/001, `operation_type`
 */
export const OperationType = z.enum(['read_only', 'conversational', 'transactional', 'internal']);
export type OperationType = z.infer<typeof OperationType>;

/**
 * One element of the effective set of a multi-item operation.
 *
 * @example { id: 'tim-fashion-mensal', label: 'TIM Fashion Mensal' }
 * @see seeds/000 section 3
 */
export const ProposalItem = z.looseObject({
  id: z.string().min(1).describe('Canonical: it names the item in keys and results.'),
  label: z.string().min(1).describe('How the item is called in a sentence.'),
});
export type ProposalItem = z.infer<typeof ProposalItem>;

/**
 * One logical MCP tool call. `arguments` are the final ones, after the parameter mapping: what was shown to the user is what is sent.
 * `business_context` travels for correlation and never reaches the tool.
 *
 * @example { tenant_id: 'default', agent_id: 'telecom_contas', tool_name: 'consultar_fatura', arguments: { msisdn: '11999999999' } }
 * @see SPEC-012 section 8
 */
export const ToolInvocation = z
  .looseObject({
    tenant_id: z.string().min(1).describe('The tenant.'),
    agent_id: z.string().min(1).describe('The agent on whose behalf the tool is called.'),
    tool_name: z.string().min(1).meta({ description: 'The tool.', examples: ['consultar_fatura'] }),
    arguments: z
      .record(z.string(), z.unknown())
      .describe('The final arguments, after the parameter mapping: what was shown is what is sent.').meta(pinned('Exactly what was shown to the user and is sent to the tool.')).meta(personal),
    business_context: BusinessContext.optional().meta(personal),
    metadata: z
      .looseObject({
        request_id: z.string().optional().describe("The caller's id of the attempt that led here."),
        trace_id: z.string().optional().describe('W3C trace id of the turn.'),
      })
      .optional()
      .describe('Correlation.'),
    contract_version: z.string().optional().meta({ description: 'This contract.', examples: ['tool-invocation-v1'] }),
    invocation_id: z.string().optional().describe('The logical call. Retries keep it.'),
    transaction_id: z.string().optional().describe('The transaction that the call belongs to.'),
    rev: z.number().int().positive().optional().describe('Revision of the proposal, from 1.'),
    purpose: InvocationPurpose.optional().describe('Why the tool is called.'),
    operation_type: OperationType.optional().describe('What the tool may do to the world.'),
    proposal_id: z.string().nullish().describe('The confirmed proposal; the executor recomputes and compares it.').meta(pinned('The one proposal that the user confirmed: tool, arguments, items, schema, policy and expiry. Another one is not executed.')),
    idempotency_key: z.string().optional().describe('Stable over every retry, redelivery and restart (invariant I3).').meta(pinned('One effect: every attempt of the confirmed proposal carries it, and nothing else does.')),
    items: z.array(ProposalItem).optional().describe('The effective set, where there are several.').meta(personal),
    channel: z
      .string()
      .optional()
      .meta({ description: 'The channel of the turn that asked for the call.', examples: ['whatsapp'] }),
    tool_schema_hash: z
      .string()
      .nullish()
      .describe('The schema of the tool that the approval was given under; another one is not called. Null: none was pinned.'),
    expires_at: Instant.optional().describe('After this instant (database clock) the call must not be started.').meta(pinned('By the database clock; a call that has not begun by then never begins.')),
  })
  .meta({ description: 'One logical MCP tool call.', 'x-source': 'SPEC-012 section 8' });
export type ToolInvocation = z.infer<typeof ToolInvocation>;
