import { z } from 'zod';
import { personal } from './personal.ts';
import { BusinessContext } from './business-context.ts';
import { pinned } from './pinned.ts';

/**
 * What a button or a form sends instead of text; it enters the same precedence and beats the text.
 *
 * @example { confirmation: 'yes', proposal_id: '3f0c…' }
 * @see DESIGN section 4
 */
export const StructuredInputs = z.looseObject({
  intent: z.string().min(1).optional().describe('Starts, or switches to, this intent.'),
  arguments: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Values by parameter name; merged, never replacing what is not named.'),
  confirmation: z.enum(['yes', 'no']).optional().describe('The answer to the open proposal.').meta(pinned('The answer to the proposal that `proposal_id` names, else to the open one.')),
  proposal_id: z.string().optional().describe('The proposal that the button belongs to; a stale one is refused.').meta(pinned('The only proposal that the answer may bind to.')),
  abandon: z.boolean().optional().describe('Ends the open transaction.'),
});
export type StructuredInputs = z.infer<typeof StructuredInputs>;

/**
 * An id that a client chooses: visible characters only, so that it is safe in keys, logs and URLs.
 *
 * @example "user-001"
 * @see DESIGN section 2
 */
export const ClientId = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[\x21-\x7e\u00a1-\uffff]+$/u, 'must hold visible characters only, no spaces');

/** The user of a message that names none: its channel does not tell users apart. */
export const anonymousUser = 'anonymous';

/**
 * The name of a tenant, an agent or a channel: a part of a conversation key, so it holds no colon.
 *
 * @example "retail_orders"
 * @see DESIGN section 2
 */
export const KeyPart = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9_.-]+$/, 'must hold letters, digits, "_", "-" and "." only');

const openRecord = z.record(z.string(), z.unknown());

const RequestMetadata = z.looseObject({
  request_id: z.string().max(200).optional().describe('The caller\'s id of this attempt; minted anew at each one.'),
  contract_version: z
    .string()
    .max(64)
    .optional()
    .meta({ description: 'The contract that this body follows.', examples: ['gateway-request-v1'] }),
  locale: z.string().max(35).optional().meta({ description: 'BCP 47 language of the user.', examples: ['pt-BR'] }),
});

const RequestPayload = z.looseObject({
  message: z
    .string()
    .max(16_384)
    .meta({
      description: 'What the user wrote. At most 16,384 characters. Empty only beside `inputs`.',
      examples: ['Quero consultar minha fatura'],
    }).meta(personal),
  session_id: ClientId.meta({
    description: 'The session of the channel, with or without the prefix `tenant_id:agent_id:`.',
    examples: ['session-001'],
  }),
  message_id: ClientId.meta({
    description: 'The message. The same id with the same body is the same turn and gets the same answer.',
    examples: ['msg-001'],
  }).meta(pinned('One message, one effect: the same id with the same body is the same turn.')),
  user_id: ClientId.optional().meta({ description: 'Who writes, where the channel tells users apart.', examples: ['user-001'] }).meta(personal),
  business_context: BusinessContext.optional().meta(personal),
  inputs: StructuredInputs.optional().describe('What a button or a form sends instead of text.').meta(personal),
  context: openRecord.optional().describe('Values that the channel knows; a source of arguments.').meta(personal),
  tool_arguments: openRecord.optional().describe('Arguments by name; the first source of arguments.').meta(personal),
  metadata: RequestMetadata.optional().describe('What belongs to this attempt and not to the message.'),
});

/**
 * One user message, as every channel hands it in. Required: `channel`, `payload.message`, `payload.session_id`, `payload.message_id`; `tenant_id` in a
 * multi-tenant installation and `agent_id` without global routing, both defaulted at the edge otherwise.
 *
 * @example { channel: 'web', payload: { message: 'Quero consultar minha fatura', session_id: 'session-001', message_id: 'msg-001' } }
 * @see SPEC-012 section 4
 */
export const GatewayRequest = z
  .looseObject({
    channel: KeyPart.meta({ description: 'The channel that the message came by.', examples: ['web', 'whatsapp'] }),
    tenant_id: KeyPart.optional().meta({
      description: 'The tenant. Required where there are several; a credential\'s own tenant always wins.',
      examples: ['default'],
    }),
    agent_id: KeyPart.optional().meta({
      description: 'The agent that is spoken to. Required where no default agent is configured.',
      examples: ['telecom_contas'],
    }),
    payload: RequestPayload.describe('The message and what came with it.'),
  })
  .meta({ description: 'One user message, as every channel hands it in.', 'x-source': 'SPEC-012 section 4' });
export type GatewayRequest = z.infer<typeof GatewayRequest>;
