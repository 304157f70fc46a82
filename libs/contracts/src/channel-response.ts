import { z } from 'zod';
import { personal } from './personal.ts';
import { StructuredError } from './structured-error.ts';
import { pinned } from './pinned.ts';

const ResponseMetadata = z.looseObject({
  tenant_id: z.string().describe('The tenant.'),
  agent_id: z.string().describe('The agent that answers.'),
  route: z.string().nullish().describe('Where routing.yaml sent the message.'),
  intent: z.string().nullish().describe('The intent that was recognized; null when none was clear.'),
  guardrails: z.array(z.unknown()).describe('Verdicts of the guardrails that looked at the turn.'),
  judges: z.array(z.unknown()).describe('Verdicts of online judges, where any looked before the answer was sent.'),
  contract_version: z.string().optional().meta({ description: 'This contract.', examples: ['channel-response-v1'] }),
  turn_id: z.string().optional().describe('The turn that is answered: the `event_id` of its message.'),
  body_digest: z
    .string()
    .optional()
    .describe('Digest of the request that this answers: who sent another body under the same id must not get it.'),
  message_id: z.string().optional().describe('The message that is answered.'),
  transaction_id: z.string().nullish().describe('The transaction that the answer is about.'),
  transaction_status: z
    .string()
    .optional()
    .meta({ description: 'Its state after this turn (`TransactionStatus`).', examples: ['AWAITING_CONFIRMATION'] }),
  missing_parameters: z.array(z.string()).optional().describe('Parameters that are still asked for, in order.'),
  proposal_id: z
    .string()
    .nullish()
    .describe('Present while a confirmation is awaited; a button sends it back in `inputs.proposal_id`.').meta(pinned('The proposal that a yes to this answer binds to.')),
  outcome: z.string().nullish().describe("The tool's verdict (`AggregateOutcome`), where this answer reports one."),
  items: z.array(z.unknown()).optional().describe('The items of the transaction, each with its own outcome.').meta(personal),
  error: StructuredError.nullish().describe('Set when the answer reports a failure.').meta(personal),
  trace_id: z.string().optional().describe('W3C trace id of the turn, 32 hex digits.'),
});

/**
 * The answer to one turn, as every channel gets it.
 *
 * @example { channel: 'web', session_id: 'default:telecom_contas:session-001', text: 'Resposta final do agente.', metadata: { ... } }
 * @see SPEC-012 section 5
 */
export const ChannelResponse = z
  .looseObject({
    channel: z.string().min(1).meta({ description: 'The channel that asked.', examples: ['web'] }),
    session_id: z.string().min(1).meta({
      description: 'The conversation key: `tenant_id:agent_id:session_id`.',
      examples: ['default:telecom_contas:session-001'],
    }),
    text: z.string().describe('What to show to the user. It claims nothing that the evidence does not hold.').meta(pinned('It claims nothing that the evidence does not hold.')).meta(personal),
    metadata: ResponseMetadata.describe('What stands behind the text.'),
  })
  .meta({ description: 'The answer to one turn, as every channel gets it.', 'x-source': 'SPEC-012 section 5' });
export type ChannelResponse = z.infer<typeof ChannelResponse>;

/**
 * Why a turn got no answer of the engine: the same message id came with another body (HTTP 409).
 *
 * @example { turn_id: '0197…', body_digest: '9f86…', code: 'turn.conflict', message: 'The message id msg-001 was used with another body.' }
 * @see DESIGN section 10, invariant I2
 */
export const TurnConflict = z
  .looseObject({
    turn_id: z.string().describe('The turn whose id was used again.'),
    body_digest: z.string().describe('Digest of the refused body: only the caller who sent that body gets the refusal.'),
    code: z.literal('turn.conflict').describe('Stable code from the error catalogue.'),
    message: z.string().describe('The refusal, for a person.'),
  })
  .meta({
    description: 'Why a turn got no answer of the engine: the same message id came with another body (HTTP 409).',
    'x-source': 'DESIGN section 10',
  });
export type TurnConflict = z.infer<typeof TurnConflict>;
