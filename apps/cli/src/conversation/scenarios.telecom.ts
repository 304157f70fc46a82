import { type Scenario } from './scenario.ts';

const fashion = 'TIM Fashion Mensal';
const audiobooks = 'Aya Audiobooks Premium';
const neymar = 'Neymar Jr';
const controle = 'TIM CTRL Redes Sociais 8.0';

/** Two of the three can be cancelled; the partner does not know the third (seeds/000 section 5). */
const mixed = [
  { label: fashion, outcome: 'succeeded' },
  { label: audiobooks, outcome: 'failed' },
  { label: neymar, outcome: 'succeeded' },
] as const;
const mixedNames = [fashion, audiobooks, neymar];

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
        text: `não contratei ${controle}`,
        expect: { status: 'COLLECTING_PARAMETERS', intent: 'billing_charge_dispute', missing: ['valor'] },
      },
      { kind: 'say', text: 'R$ 71,99', expect: { status: 'AWAITING_CONFIRMATION', says: [controle, '71,99'] } },
      {
        kind: 'say',
        text: 'sim',
        expect: { status: 'COMPLETED', outcome: 'SUCCESS', names: [controle], says: ['Protocolo CTT-'] },
      },
    ],
    calls: [
      { tool: 'validar_contestacao', arguments: { subject: controle, valor: 71.99 } },
      { tool: 'contestar_cobranca', arguments: { subject: controle, valor: 71.99 } },
    ],
    effects: 1,
    events: [
      'IC.PARAMETERS_COLLECTED',
      'IC.PARAMETERS_COLLECTED',
      'IC.PRE_VALIDATION_REQUESTED',
      'IC.USER_CONFIRMED',
      'IC.TRANSACTION_ENDED',
    ],
  },
  {
    id: 'C',
    title: 'A pending question is given up for another wish: the dispute is cancelled, the invoice is shown',
    agentId: 'telecom_contas',
    server: 'mcp-telecom',
    businessContext: { customer_key: '11999999999' },
    steps: [
      {
        kind: 'say',
        text: `não contratei ${controle}`,
        expect: { status: 'COLLECTING_PARAMETERS', missing: ['valor'] },
      },
      {
        kind: 'say',
        text: 'esquece, quero ver minha fatura',
        expect: { status: 'COMPLETED', intent: 'billing_invoice_explanation', says: ['249,90'] },
      },
    ],
    calls: [{ tool: 'consultar_fatura', arguments: { msisdn: '11999999999' } }],
    effects: 0,
    events: ['IC.TRANSACTION_STARTED', 'IC.TRANSACTION_ENDED', 'IC.TRANSACTION_STARTED', 'IC.TRANSACTION_ENDED'],
  },
  {
    id: 'E',
    title: 'Three services in one sentence: one confirmation, one MCP call, the truth about each',
    agentId: 'telecom_contas',
    server: 'mcp-telecom',
    steps: [
      {
        kind: 'say',
        text: 'cancela TIM Fashion, Aya Audiobooks e Neymar Jr',
        expect: { status: 'AWAITING_CONFIRMATION', intent: 'telecom_vas_cancel', names: mixedNames },
      },
      {
        kind: 'say',
        text: 'sim',
        expect: { status: 'COMPLETED', outcome: 'PARTIAL_SUCCESS', names: mixedNames, items: mixed },
      },
    ],
    calls: [
      { tool: 'validar_vas_subject', arguments: { subject: 'TIM Fashion, Aya Audiobooks e Neymar Jr' } },
      {
        tool: 'cancelar_vas_avulso',
        arguments: { subject: mixedNames.join(', '), items: mixedNames.map((name) => ({ name })) },
      },
    ],
    effects: 2,
    events: ['IC.CONFIRMATION_REQUESTED', 'IC.USER_CONFIRMED', 'IC.EXECUTION_STARTED', 'IC.TRANSACTION_ENDED'],
  },
  {
    id: 'F',
    title: 'The same with a list argument, then with a text that the server takes apart',
    agentId: 'telecom_contas',
    server: 'mcp-telecom',
    steps: [
      {
        kind: 'say',
        text: 'cancela os produtos TIM Fashion, Aya Audiobooks e Neymar Jr',
        expect: { status: 'AWAITING_CONFIRMATION', intent: 'telecom_products_cancel', names: mixedNames },
      },
      {
        kind: 'say',
        text: 'sim',
        expect: { status: 'COMPLETED', outcome: 'PARTIAL_SUCCESS', names: mixedNames, items: mixed },
      },
      {
        kind: 'say',
        text: 'cancela Clube de Leitura e Antivírus Plus',
        expect: {
          status: 'AWAITING_CONFIRMATION',
          intent: 'telecom_vas_cancel',
          names: ['Clube de Leitura', 'Antivírus Plus'],
        },
      },
      {
        kind: 'say',
        text: 'sim',
        expect: { status: 'COMPLETED', outcome: 'SUCCESS', names: ['Clube de Leitura', 'Antivírus Plus'] },
      },
    ],
    calls: [
      {
        tool: 'validar_produtos_cancelamento',
        arguments: { items: ['TIM Fashion', 'Aya Audiobooks', 'Neymar Jr'] },
      },
      {
        tool: 'cancelar_produtos',
        arguments: {
          items: [
            { name: fashion, id: '1001' },
            { name: audiobooks, id: '1002' },
            { name: neymar, id: '1003' },
          ],
        },
      },
      { tool: 'validar_vas_subject', arguments: { subject: 'Clube de Leitura e Antivírus Plus' } },
      {
        tool: 'cancelar_vas_avulso',
        arguments: {
          subject: 'Clube de Leitura, Antivírus Plus',
          items: [{ name: 'Clube de Leitura' }, { name: 'Antivírus Plus' }],
        },
      },
    ],
    effects: 4,
    events: ['IC.USER_CONFIRMED', 'IC.TRANSACTION_ENDED', 'IC.USER_CONFIRMED', 'IC.TRANSACTION_ENDED'],
  },
];
