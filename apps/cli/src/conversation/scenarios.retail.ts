import { type Scenario } from './scenario.ts';

const cancelled = (orderId: string): Scenario['calls'] => [
  { tool: 'validar_cancelamento_pedido', arguments: { order_id: orderId } },
  { tool: 'retail_order_cancel', arguments: { order_id: orderId } },
];

const confirmedAndDone = [
  'IC.TRANSACTION_STARTED',
  'IC.PARAMETER_REQUESTED',
  'IC.PARAMETERS_COLLECTED',
  'IC.PRE_VALIDATED',
  'IC.CONFIRMATION_REQUESTED',
  'IC.USER_CONFIRMED',
  'IC.EXECUTION_STARTED',
  'IC.TOOL_RESULT_RECEIVED',
  'IC.TRANSACTION_ENDED',
];

/** Conversations with the agent `retail_orders`. */
export const retailScenarios: readonly Scenario[] = [
  {
    id: 'A',
    title: 'An order is cancelled; the word "pedido" in an answer never turns it into tracking',
    agentId: 'retail_orders',
    server: 'mcp-retail',
    steps: [
      {
        kind: 'say',
        text: 'quero cancelar pedido',
        expect: { status: 'COLLECTING_PARAMETERS', intent: 'retail_order_cancel', missing: ['order_id'] },
      },
      {
        kind: 'say',
        text: 'o pedido é o PED-1001',
        expect: { status: 'AWAITING_CONFIRMATION', names: ['PED-1001'] },
      },
      { kind: 'say', text: 'sim', expect: { status: 'COMPLETED', outcome: 'SUCCESS', says: ['PED-1001'] } },
    ],
    calls: cancelled('PED-1001'),
    effects: 1,
    events: confirmedAndDone,
  },
  {
    id: 'D',
    title: 'The orchestrator is killed between two turns; the transaction goes on and the tool is not started again',
    agentId: 'retail_orders',
    server: 'mcp-retail',
    steps: [
      {
        kind: 'say',
        text: 'quero cancelar pedido',
        expect: { status: 'COLLECTING_PARAMETERS', missing: ['order_id'] },
      },
      { kind: 'kill', service: 'orchestrator', wait: true },
      { kind: 'say', text: 'PED-1001', expect: { status: 'AWAITING_CONFIRMATION', names: ['PED-1001'] } },
      { kind: 'say', text: 'sim', expect: { status: 'COMPLETED', outcome: 'SUCCESS', says: ['PED-1001'] } },
    ],
    calls: cancelled('PED-1001'),
    effects: 1,
    events: confirmedAndDone,
  },
  {
    id: 'G',
    title: 'The domain server is down, then up: an honest answer, a retry under one key, one effect',
    agentId: 'retail_orders',
    server: 'mcp-retail',
    steps: [
      {
        kind: 'say',
        text: 'quero cancelar o pedido PED-1001',
        expect: { status: 'AWAITING_CONFIRMATION', names: ['PED-1001'] },
      },
      { kind: 'fault', server: 'mcp-retail', fault: { tool: 'retail_order_cancel', kind: 'unavailable', times: 2 } },
      { kind: 'say', text: 'sim', expect: { status: 'COMPLETED', outcome: 'SUCCESS', says: ['PED-1001'] } },
    ],
    calls: cancelled('PED-1001'),
    effects: 1,
    events: confirmedAndDone,
  },
];
