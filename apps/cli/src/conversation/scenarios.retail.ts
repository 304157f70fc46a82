import { type Scenario, type Step } from './scenario.ts';

const cancelled = (orderId: string): Scenario['calls'] => [
  { tool: 'validar_cancelamento_pedido', arguments: { order_id: orderId } },
  { tool: 'retail_order_cancel', arguments: { order_id: orderId } },
];

const untilConfirmation = [
  'IC.TRANSACTION_STARTED',
  'IC.PARAMETERS_COLLECTED',
  'IC.PRE_VALIDATED',
  'IC.CONFIRMATION_REQUESTED',
];
const untilTheEnd = ['IC.USER_CONFIRMED', 'IC.EXECUTION_STARTED', 'IC.TOOL_RESULT_RECEIVED', 'IC.TRANSACTION_ENDED'];

const wantsToCancel: Step = {
  kind: 'say',
  text: 'quero cancelar o pedido PED-1001',
  expect: { status: 'AWAITING_CONFIRMATION', names: ['PED-1001'] },
};

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
        expect: { status: 'AWAITING_CONFIRMATION', names: ['PED-1001'], neverSays: ['rastre'] },
      },
      {
        kind: 'say',
        text: 'sim',
        expect: { status: 'COMPLETED', outcome: 'SUCCESS', names: ['PED-1001'], says: ['Protocolo CAN-'] },
      },
    ],
    calls: cancelled('PED-1001'),
    effects: 1,
    events: [...untilConfirmation, ...untilTheEnd],
  },
  {
    id: 'D',
    title: 'The orchestrator is killed between two turns; the transaction goes on, the tool is not started again',
    agentId: 'retail_orders',
    server: 'mcp-retail',
    steps: [
      {
        kind: 'say',
        text: 'quero cancelar pedido',
        expect: { status: 'COLLECTING_PARAMETERS', missing: ['order_id'] },
      },
      { kind: 'kill', service: 'orchestrator' },
      { kind: 'say', text: 'PED-1001', expect: { status: 'AWAITING_CONFIRMATION', names: ['PED-1001'] } },
      {
        kind: 'say',
        text: 'sim',
        expect: { status: 'COMPLETED', outcome: 'SUCCESS', names: ['PED-1001'], says: ['Protocolo CAN-'] },
      },
    ],
    calls: cancelled('PED-1001'),
    effects: 1,
    events: [...untilConfirmation, ...untilTheEnd],
  },
  {
    id: 'G',
    title: 'The MCP server is down, then up: an honest failure, then a lost answer that is retried under one key',
    agentId: 'retail_orders',
    server: 'mcp-retail',
    steps: [
      wantsToCancel,
      { kind: 'hold', service: 'mcp-retail' },
      {
        kind: 'say',
        text: 'sim',
        expect: { status: 'FAILED', outcome: 'FAILED', errorCategory: 'transient', neverSays: ['Pronto', 'Protocolo'] },
      },
      { kind: 'release', service: 'mcp-retail' },
      wantsToCancel,
      {
        kind: 'fault',
        server: 'mcp-retail',
        fault: { tool: 'retail_order_cancel', kind: 'drop_after_commit', times: 1 },
      },
      {
        kind: 'say',
        text: 'sim',
        expect: { status: 'COMPLETED', outcome: 'SUCCESS', names: ['PED-1001'], says: ['Protocolo CAN-'] },
      },
    ],
    // The server forgot what it saw before the outage.
    calls: cancelled('PED-1001'),
    effects: 1,
    events: [...untilConfirmation, ...untilTheEnd, ...untilConfirmation, ...untilTheEnd],
  },
];
