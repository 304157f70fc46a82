import { type Scenario } from './scenario.ts';

/** Conversations with the agent `telecom_contas`. */
export const telecomScenarios: readonly Scenario[] = [
  {
    id: 'B',
    title: 'A charge is disputed over two turns; subject and value reach the pre-validation together',
    agentId: 'telecom_contas',
    server: 'mcp-telecom',
    steps: [
      {
        kind: 'say',
        text: 'não contratei TIM CTRL Redes Sociais 8.0',
        expect: { status: 'COLLECTING_PARAMETERS', intent: 'billing_charge_dispute', missing: ['valor'] },
      },
      {
        kind: 'say',
        text: 'R$ 71,99',
        expect: { status: 'AWAITING_CONFIRMATION', says: ['TIM CTRL Redes Sociais 8.0', '71,99'] },
      },
      { kind: 'say', text: 'sim', expect: { status: 'COMPLETED', outcome: 'SUCCESS' } },
    ],
    calls: [
      { tool: 'validar_contestacao', arguments: { subject: 'TIM CTRL Redes Sociais 8.0', valor: 71.99 } },
      { tool: 'contestar_cobranca', arguments: { subject: 'TIM CTRL Redes Sociais 8.0', valor: 71.99 } },
    ],
    effects: 1,
    events: [
      'IC.PARAMETERS_COLLECTED',
      'IC.PARAMETERS_COLLECTED',
      'IC.PRE_VALIDATION_REQUESTED',
      'IC.TRANSACTION_ENDED',
    ],
  },
];
