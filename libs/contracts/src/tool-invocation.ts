import { z } from 'zod';
import { BusinessContext } from './business-context.ts';
import { Instant } from './instant.ts';

/** Why the engine calls a tool. Only `execution` may have an effect, and only under a confirmed proposal or a policy that needs none. */
export const InvocationPurpose = z.enum(['pre_validation', 'execution', 'reconcile']);
export type InvocationPurpose = z.infer<typeof InvocationPurpose>;

/** What a tool may do to the world (seeds, `operation_type`). */
export const OperationType = z.enum(['read_only', 'conversational', 'transactional', 'internal']);
export type OperationType = z.infer<typeof OperationType>;

/** One element of the effective set of a multi-item operation. `id` is canonical: it names the item in keys and results. */
export const ProposalItem = z.looseObject({ id: z.string().min(1), label: z.string().min(1) });
export type ProposalItem = z.infer<typeof ProposalItem>;

/**
 * One logical MCP tool call (SPEC-012 section 8). `arguments` are the final ones, after the parameter mapping: what was shown to the user is
 * what is sent. `business_context` travels for correlation and never reaches the tool.
 */
export const ToolInvocation = z.looseObject({
  tenant_id: z.string().min(1),
  agent_id: z.string().min(1),
  tool_name: z.string().min(1),
  arguments: z.record(z.string(), z.unknown()),
  business_context: BusinessContext.optional(),
  metadata: z.looseObject({ request_id: z.string().optional(), trace_id: z.string().optional() }).optional(),
  contract_version: z.string().optional(),
  invocation_id: z.string().optional(),
  transaction_id: z.string().optional(),
  /** Revision of the proposal, from 1. */
  rev: z.number().int().positive().optional(),
  purpose: InvocationPurpose.optional(),
  operation_type: OperationType.optional(),
  proposal_id: z.string().nullish(),
  /** Stable over every retry, redelivery and restart (invariant I3). */
  idempotency_key: z.string().optional(),
  items: z.array(ProposalItem).optional(),
  /** After this instant (database clock) the call must not be started. */
  expires_at: Instant.optional(),
});
export type ToolInvocation = z.infer<typeof ToolInvocation>;
