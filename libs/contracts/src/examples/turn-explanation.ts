import { type z } from 'zod';
import { type TurnExplanation } from '../turn-explanation.ts';
import { type ContractExamples } from './contract-examples.ts';

const before = {
  status: 'COLLECTING_PARAMETERS',
  transaction_id: '0197a3c1-7c5e-7c41-8a2b-0242ac120002',
  tool: 'retail_order_cancel',
  arguments: {},
  missing_parameters: ['order_id'],
  proposal_id: null,
  parked_tools: [],
} as const;

const proposalId = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const at = '2026-06-19T12:00:07.250Z';

const fills: z.input<typeof TurnExplanation> = {
  contract_version: 'turn-explanation-v1',
  conversation_key: 'default:retail_orders:session-001',
  turn_id: '5b1d0f2e-8a3c-5d4e-9f60-718293a4b5c6',
  message_id: 'msg-002',
  said: { text: 'o pedido é o PED-1001', inputs: null, channel: 'web', user_id: 'user-001', at },
  waiting_for: { kind: 'parameters', tool: 'retail_order_cancel', missing_parameters: ['order_id'], items: [] },
  reading: {
    source: 'text',
    confirmation: 'unclear',
    change: null,
    abandons: false,
    values: { order_id: 'PED-1001' },
    invalid: {},
    corrects: false,
    intent: {
      intent: 'rastrear_pedido',
      tool: 'retail_order_tracking',
      score: 0.4,
      is_clear: false,
      values: {},
      runner_up: { intent: 'cancelar_pedido', score: 0.4 },
    },
    has_domain_word: true,
    retries_failed: false,
    resumes: false,
    rules: [{ rule: 'extract.pattern', span: [13, 21], text: 'PED-1001', runner_up: null }],
  },
  decision: {
    status: 'COLLECTING_PARAMETERS',
    rule: 'fills_parameter',
    action: 'collect_values',
    intent: null,
    route: null,
    config_digest: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
    is_reproduced: true,
    classes: [
      {
        message_class: 'fills_parameter',
        meaning: 'A pending parameter is clearly filled, or a collected one corrected.',
        line: 1,
        action: 'collect_values',
        holds: true,
        because: 'order_id = "PED-1001"',
        verdict: 'won',
        why: 'It is the first line of the table for COLLECTING_PARAMETERS that applies: line 1 of 10.',
      },
      {
        message_class: 'domain_word',
        meaning: "A generic word of the agent's domain.",
        line: 9,
        action: 'keep_and_clarify',
        holds: true,
        because: null,
        verdict: 'lost',
        why: 'Line 9 comes after line 1, fills_parameter, which applies.',
      },
    ],
  },
  events: [
    {
      sequence: 5,
      event_type: 'IC.PARAMETERS_COLLECTED',
      at,
      payload: { type: 'ParametersCollected', values: { order_id: 'PED-1001' }, sources: { order_id: 'text' } },
    },
  ],
  state: {
    before: { ...before, arguments: {}, missing_parameters: ['order_id'], parked_tools: [] },
    decided: {
      ...before,
      status: 'AWAITING_CONFIRMATION',
      arguments: { order_id: 'PED-1001' },
      missing_parameters: [],
      proposal_id: proposalId,
      parked_tools: [],
    },
    answered: null,
  },
  calls: [],
  reply: { answered_at: null, slots: [] },
};

const confirms: z.input<typeof TurnExplanation> = {
  ...fills,
  message_id: 'msg-003',
  calls: [
    {
      invocation_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
      purpose: 'execution',
      tool: 'retail_order_cancel',
      arguments: { order_id: 'PED-1001' },
      idempotency_key: '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU',
      started_at: at,
      received_at: '2026-06-19T12:00:07.390Z',
      result: { tool_name: 'retail_order_cancel', ok: true, data: { status: 'CANCELADO' }, latency_ms: 140 },
    },
  ],
  reply: { answered_at: '2026-06-19T12:00:07.390Z', slots: [{ kind: 'outcome', outcome: 'SUCCESS' }], text: 'Feito.' },
};

/** Explanations of two turns, and what is none. */
export const turnExplanationExamples: ContractExamples<z.input<typeof TurnExplanation>> = {
  valid: { 'a-parameter-is-filled': fills, 'a-tool-was-called': confirms },
  invalid: {
    'without-the-decision': { ...fills, decision: undefined },
    'a-verdict-that-is-none': {
      ...fills,
      decision: { ...fills.decision, classes: [{ ...fills.decision.classes[0], verdict: 'drawn' }] },
    },
  },
};
