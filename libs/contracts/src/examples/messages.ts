import { type z } from 'zod';
import { type AgentState } from '../agent-state.ts';
import { type BusinessContext } from '../business-context.ts';
import { type ChannelResponse, type TurnConflict } from '../channel-response.ts';
import { type DeadLetter } from '../dead-letter.ts';
import { type EventEnvelope } from '../event-envelope.ts';
import { type EvidenceBundle } from '../evidence-bundle.ts';
import { type GatewayRequest } from '../gateway-request.ts';
import { type Problem } from '../problem.ts';
import { type Checkpoint, type Session } from '../session.ts';
import { type ContractExamples } from './contract-examples.ts';

type Of<T extends z.ZodType> = ContractExamples<z.input<T>>;

/** The identity that the examples of conversations share. */
const who = { tenant_id: 'default', agent_id: 'retail_orders', session_id: 'session-001' } as const;
const conversationKey = 'default:retail_orders:session-001';
const digest = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const at = '2026-06-19T12:00:00Z';

export const gatewayRequestExamples: Of<typeof GatewayRequest> = {
  valid: {
    'spec-012': {
      channel: 'web',
      tenant_id: 'default',
      agent_id: 'telecom_contas',
      payload: {
        message: 'Quero consultar minha fatura',
        session_id: 'session-001',
        user_id: 'user-001',
        message_id: 'msg-001',
        business_context: {
          customer_key: '11999999999',
          contract_key: '3000131180',
          interaction_key: '301953872',
          session_key: 'session-001',
        },
        metadata: { request_id: 'req-001', contract_version: 'gateway-request-v1' },
      },
    },
    'only-what-is-required': {
      channel: 'web',
      payload: { message: 'oi', session_id: 'session-001', message_id: 'msg-001' },
    },
    'a-button-confirms': {
      channel: 'whatsapp',
      agent_id: 'retail_orders',
      payload: {
        message: '',
        session_id: 'default:retail_orders:session-001',
        message_id: 'msg-002',
        inputs: { confirmation: 'yes', proposal_id: digest },
      },
    },
    'a-field-from-the-future': {
      channel: 'web',
      payload: { message: 'oi', session_id: 'session-001', message_id: 'msg-001', attachments: [{ kind: 'image' }] },
    },
  },
  invalid: {
    'without-message-id': { channel: 'web', payload: { message: 'oi', session_id: 'session-001' } },
    'without-payload': { channel: 'web', message: 'oi', session_id: 'session-001', message_id: 'msg-001' },
    'tenant-with-a-colon': {
      channel: 'web',
      tenant_id: 'a:b',
      payload: { message: 'oi', session_id: 'session-001', message_id: 'msg-001' },
    },
    'session-id-with-a-space': { channel: 'web', payload: { message: 'oi', session_id: 'a b', message_id: 'msg-001' } },
    'message-is-a-number': { channel: 'web', payload: { message: 7, session_id: 'session-001', message_id: 'msg-001' } },
  },
};

export const channelResponseExamples: Of<typeof ChannelResponse> = {
  valid: {
    'spec-012': {
      channel: 'web',
      session_id: 'default:telecom_contas:session-001',
      text: 'Resposta final do agente.',
      metadata: {
        tenant_id: 'default',
        agent_id: 'telecom_contas',
        route: 'billing_agent',
        intent: 'billing_invoice_explanation',
        guardrails: [],
        judges: [],
      },
    },
    'asks-for-the-one-confirmation': {
      channel: 'web',
      session_id: conversationKey,
      text: 'Você confirma o cancelamento do pedido PED-1001?',
      metadata: {
        tenant_id: 'default',
        agent_id: 'retail_orders',
        guardrails: [],
        judges: [],
        contract_version: 'channel-response-v1',
        turn_id: '5b1d0f2e-8a3c-5d4e-9f60-718293a4b5c6',
        message_id: 'msg-002',
        transaction_id: '0197a3c1-7c5e-7c41-8a2b-0242ac120002',
        transaction_status: 'AWAITING_CONFIRMATION',
        missing_parameters: [],
        proposal_id: digest,
      },
    },
  },
  invalid: {
    'without-text': { channel: 'web', session_id: conversationKey, metadata: { ...who, guardrails: [], judges: [] } },
    'without-guardrails': { channel: 'web', session_id: conversationKey, text: 'ok', metadata: { ...who, judges: [] } },
  },
};

export const turnConflictExamples: Of<typeof TurnConflict> = {
  valid: {
    'another-body': {
      turn_id: '5b1d0f2e-8a3c-5d4e-9f60-718293a4b5c6',
      body_digest: digest,
      code: 'turn.conflict',
      message: 'The message id msg-002 was used with another body in this conversation.',
    },
  },
  invalid: { 'another-code': { turn_id: 't', body_digest: digest, code: 'conflict', message: 'no' } },
};

export const businessContextExamples: Of<typeof BusinessContext> = {
  valid: {
    'spec-012': {
      customer_key: '11999999999',
      contract_key: '3000131180',
      interaction_key: '301953872',
      account_key: null,
      resource_key: null,
      session_key: 'session-001',
      metadata: { source_channel: 'web' },
    },
    'nothing-is-known': {},
  },
  invalid: { 'a-key-is-a-number': { customer_key: 11999999999 }, 'metadata-is-a-list': { metadata: [] } },
};

const collecting: z.input<typeof AgentState> = {
  ...who,
  conversation_key: conversationKey,
  channel: 'web',
  user_text: 'quero cancelar pedido',
  route: 'retail',
  intent: 'cancelar_pedido',
  active_transaction: { tool: 'cancelar_pedido', arguments: {} },
  last_transaction: null,
  transaction_status: 'COLLECTING_PARAMETERS',
  missing_parameters: ['order_id'],
  confirmation_required: true,
  confirmation_received: false,
  transaction_pre_validation: null,
  transaction_evidence: [],
  next_state: 'PRE_VALIDATION',
  selected_tool_call: { tool_name: 'cancelar_pedido', arguments: {} },
  pending_tool_call: null,
};

export const agentStateExamples: Of<typeof AgentState> = {
  valid: { 'collecting-parameters': collecting },
  invalid: {
    'unknown-status': { ...collecting, transaction_status: 'WAITING' },
    'without-active-transaction': { ...collecting, active_transaction: undefined },
  },
};

export const sessionExamples: Of<typeof Session> = {
  valid: {
    'a-web-session': {
      ...who,
      conversation_key: conversationKey,
      channel: 'web',
      user_id: 'user-001',
      started_at: at,
      last_seen_at: '2026-06-19T12:04:10.250Z',
      contract_version: 'session-v1',
    },
  },
  invalid: { 'started-at-is-a-date': { ...who, conversation_key: conversationKey, started_at: '2026-06-19', last_seen_at: at } },
};

const checkpoint: z.input<typeof Checkpoint> = {
  ...who,
  conversation_key: conversationKey,
  version: 3,
  state_digest: digest,
  config_digest: digest,
  state: collecting,
  updated_at: at,
  contract_version: 'checkpoint-v1',
};

export const checkpointExamples: Of<typeof Checkpoint> = {
  valid: { 'after-three-events': checkpoint },
  invalid: {
    'negative-version': { ...checkpoint, version: -1 },
    'state-without-status': { ...checkpoint, state: { ...collecting, transaction_status: undefined } },
  },
};

const published: z.input<typeof EventEnvelope> = {
  event_type: 'IC.AGENT_COMPLETED',
  timestamp: at,
  tenant_id: 'default',
  agent_id: 'telecom_contas',
  session_id: 'session-001',
  trace_id: 'trace-001',
  payload: {},
};

export const eventEnvelopeExamples: Of<typeof EventEnvelope> = {
  valid: {
    'spec-012': published,
    'as-latch-publishes': {
      ...published,
      event_type: 'IC.CONFIRMATION_REQUESTED',
      trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
      payload: { tool: 'cancelar_pedido', proposal_id: digest },
      event_id: '5b1d0f2e-8a3c-5d4e-9f60-718293a4b5c6',
      contract_version: 'event-envelope-v1',
      conversation_key: 'default:telecom_contas:session-001',
      transaction_id: '0197a3c1-7c5e-7c41-8a2b-0242ac120002',
      causation_id: '1c9e6679-7425-50de-944b-e07fc1f90ae7',
      producer: 'orchestrator',
      severity: 'info',
    },
  },
  invalid: {
    'without-trace-id': { ...published, trace_id: undefined },
    'unknown-family': { ...published, event_type: 'LOG.SOMETHING' },
    'timestamp-without-zone': { ...published, timestamp: '2026-06-19T12:00:00' },
    'payload-is-a-list': { ...published, payload: [] },
  },
};

const bundle: z.input<typeof EvidenceBundle> = {
  contract_version: 'evidence-bundle-v1',
  transaction_id: '0197a3c1-7c5e-7c41-8a2b-0242ac120002',
  conversation_key: conversationKey,
  tenant_id: who.tenant_id,
  agent_id: who.agent_id,
  config_digest: digest,
  exported_at: at,
  events: [{ envelope: { ...published, sequence: 1 }, hash: digest }],
  head_hash: digest,
};

export const evidenceBundleExamples: Of<typeof EvidenceBundle> = {
  valid: { 'one-event': bundle },
  invalid: {
    'an-event-without-hash': { ...bundle, events: [{ envelope: published }] },
    'without-head-hash': { ...bundle, head_hash: undefined },
  },
};

const letter: z.input<typeof DeadLetter> = {
  source: { topic: 'latch.turns.v1', partition: 0, offset: '42', key: conversationKey },
  value_base64: 'bm90IGpzb24=',
  reason: { code: 'message.unparsable', message: 'the text is not JSON' },
  consumer: 'orchestrator',
  attempts: 1,
  failed_at: at,
  contract_version: 'dead-letter-v1',
};

export const deadLetterExamples: Of<typeof DeadLetter> = {
  valid: { 'not-json': letter },
  invalid: { 'no-attempt': { ...letter, attempts: 0 }, 'without-source': { ...letter, source: undefined } },
};

export const problemExamples: Of<typeof Problem> = {
  valid: {
    'an-invalid-request': {
      type: 'urn:latch:problem:request.invalid',
      title: 'Invalid request',
      status: 422,
      code: 'request.invalid',
      trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
      errors: [{ path: '$.payload.message_id', message: 'Invalid input: expected string, received undefined' }],
    },
  },
  invalid: { 'without-code': { type: 'about:blank', title: 'Not found', status: 404 } },
};
