import { z } from 'zod';
import { StructuredError } from './structured-error.ts';

/** The answer to one turn, as every channel gets it (SPEC-012 section 5). */
export const ChannelResponse = z.looseObject({
  channel: z.string().min(1),
  session_id: z.string().min(1),
  text: z.string(),
  metadata: z.looseObject({
    tenant_id: z.string(),
    agent_id: z.string(),
    route: z.string().nullish(),
    intent: z.string().nullish(),
    guardrails: z.array(z.unknown()),
    judges: z.array(z.unknown()),
    contract_version: z.string().optional(),
    turn_id: z.string().optional(),
    /** `bodyDigestOf` the request that this answers: a caller who sent another body under the same message id must not get it. */
    body_digest: z.string().optional(),
    message_id: z.string().optional(),
    transaction_id: z.string().nullish(),
    transaction_status: z.string().optional(),
    missing_parameters: z.array(z.string()).optional(),
    /** Present while a confirmation is awaited; a button sends it back in `inputs.proposal_id`. */
    proposal_id: z.string().nullish(),
    /** The tool's verdict, where this answer reports one. */
    outcome: z.string().nullish(),
    items: z.array(z.unknown()).optional(),
    /** Set when the answer reports a failure. */
    error: StructuredError.nullish(),
    trace_id: z.string().optional(),
  }),
});
export type ChannelResponse = z.infer<typeof ChannelResponse>;

/** Why a turn got no answer of the engine: the same message id came with another body (HTTP 409). */
export const TurnConflict = z.looseObject({
  turn_id: z.string(),
  /** Digest of the refused body: only the caller who sent that body gets the refusal. */
  body_digest: z.string(),
  code: z.literal('turn.conflict'),
  message: z.string(),
});
export type TurnConflict = z.infer<typeof TurnConflict>;
