import { z } from 'zod';
import { BusinessContext } from './business-context.ts';

/** What a button or a form sends instead of text; it enters the same precedence (DESIGN section 4). */
export const StructuredInputs = z.looseObject({
  /** Starts, or switches to, this intent. */
  intent: z.string().min(1).optional(),
  /** Values by parameter name; merged, never replacing what is not named. */
  arguments: z.record(z.string(), z.unknown()).optional(),
  confirmation: z.enum(['yes', 'no']).optional(),
  /** The proposal that the button belongs to; a stale one is refused. */
  proposal_id: z.string().optional(),
  abandon: z.boolean().optional(),
});
export type StructuredInputs = z.infer<typeof StructuredInputs>;

/** An id that a client chooses: visible characters only, so that it is safe in keys, logs and URLs. */
const ClientId = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[\x21-\x7e\u00a1-\uffff]+$/u, 'must hold visible characters only, no spaces');

/** A tenant or agent name: the parts of a conversation key, so no colon. */
const ScopeId = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9_.-]+$/, 'must hold letters, digits, "_", "-" and "." only');

/**
 * One user message, as every channel hands it in (SPEC-012 section 4). Required: `channel`, `payload.message`, `payload.session_id`,
 * `payload.message_id`; `tenant_id` in a multi-tenant installation and `agent_id` without global routing, both defaulted at the edge otherwise.
 */
export const GatewayRequest = z.looseObject({
  channel: ScopeId,
  tenant_id: ScopeId.optional(),
  agent_id: ScopeId.optional(),
  payload: z.looseObject({
    /** What the user wrote. At most 16,384 characters. Empty only beside `inputs`. */
    message: z.string().max(16_384),
    session_id: ClientId,
    message_id: ClientId,
    user_id: ClientId.optional(),
    business_context: BusinessContext.optional(),
    inputs: StructuredInputs.optional(),
    context: z.record(z.string(), z.unknown()).optional(),
    tool_arguments: z.record(z.string(), z.unknown()).optional(),
    metadata: z
      .looseObject({
        request_id: z.string().max(200).optional(),
        contract_version: z.string().max(64).optional(),
        locale: z.string().max(35).optional(),
      })
      .optional(),
  }),
});
export type GatewayRequest = z.infer<typeof GatewayRequest>;
