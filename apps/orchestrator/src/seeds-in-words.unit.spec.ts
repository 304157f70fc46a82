import { beforeAll, describe, expect, it } from '@jest/globals';
import { AgentState, type AgentConfig } from '@latch/contracts';
import { sampleAgent } from './sample-platform.features.ts';
import { agreeable, kindsOf, type Backend, SpokenConversation } from './spoken-conversation.features.ts';

/**
 * seeds/002 with the sample configuration, from the sentence to the call: the tables of its sections 4 to 7, its regressions A to D, and each of its anti-patterns
 * as something that must not happen.
 */
let retail: AgentConfig;
let telecom: AgentConfig;

beforeAll(async () => {
  [retail, telecom] = await Promise.all([sampleAgent('retail_orders'), sampleAgent('telecom_contas')]);
});

const cancel = (order: string): object => ({ tool_name: 'retail_order_cancel', arguments: { order_id: order } });
const invoiceContext = { business_context: { customer_key: '11999990001' } };

describe('the regressions of seeds/002 section 10', () => {
  it('A: "o pedido é o PED-1001" stays the cancellation and never becomes tracking', () => {
    const talk = new SpokenConversation(retail);
    expect(talk.says('quero cancelar pedido')?.text).toBe('Qual é o número do pedido?');
    expect(talk.says('o pedido é o PED-1001')?.facts).toMatchObject({ transactionStatus: 'AWAITING_CONFIRMATION' });
    expect(talk.says('sim')?.facts).toMatchObject({ transactionStatus: 'COMPLETED', outcome: 'SUCCESS' });
    expect(talk.executions()).toEqual([cancel('PED-1001')]);
  });

  it('B: subject and value of two turns reach the pre-validation together', () => {
    const talk = new SpokenConversation(telecom);
    talk.says('não contratei TIM CTRL Redes Sociais 8.0');
    expect(talk.view().missing_parameters).toEqual(['valor']);
    talk.says('R$ 71,99');
    expect(talk.calls).toMatchObject([
      {
        tool_name: 'validar_contestacao',
        purpose: 'pre_validation',
        arguments: { subject: 'TIM CTRL Redes Sociais 8.0', valor: 71.99 },
      },
    ]);
  });

  it('C: "esquece, quero ver minha fatura" ends the transaction and shows the invoice in the same turn', () => {
    const talk = new SpokenConversation(telecom);
    talk.says('quero contestar uma cobrança', invoiceContext);
    const answer = talk.says('esquece, quero ver minha fatura', invoiceContext);
    expect(kindsOf(answer)).toEqual(['cancelled', 'outcome']);
    expect(talk.executions()).toEqual([{ tool_name: 'consultar_fatura', arguments: { msisdn: '11999990001' } }]);
    expect(talk.events.filter(({ type }) => type === 'TransactionEnded')).toMatchObject([
      { status: 'CANCELLED', reason: 'abandoned' },
      { status: 'COMPLETED' },
    ]);
  });

  it('D: a conversation that is restored goes on with its transaction and does not start the tool again', () => {
    const talk = new SpokenConversation(retail);
    talk.says('quero cancelar pedido');
    const before = talk.state.transaction?.id;
    talk.restarts();
    talk.says('PED-1001');
    talk.restarts();
    talk.says('sim');
    expect(talk.state.last).toMatchObject({ id: before, status: 'COMPLETED' });
    expect(talk.executions()).toEqual([cancel('PED-1001')]);
    expect(talk.events.filter(({ type }) => type === 'TransactionStarted')).toHaveLength(1);
  });
});

describe('the table of seeds/002 section 6', () => {
  type Row = {
    readonly agent: 'retail' | 'telecom';
    readonly opened: readonly string[];
    readonly message: string;
    readonly status: string;
    readonly tool: string | null;
    readonly arguments: Readonly<Record<string, unknown>>;
    readonly rule: string;
  };
  const cancelling = { agent: 'retail', opened: ['quero cancelar pedido'] } as const;
  const disputing = { agent: 'telecom', opened: ['não contratei TIM Fashion'] } as const;
  const kept = { tool: 'retail_order_cancel', status: 'COLLECTING_PARAMETERS', arguments: {} };
  const rows: readonly Row[] = [
    {
      ...cancelling,
      message: 'PED-1001',
      status: 'AWAITING_CONFIRMATION',
      tool: 'retail_order_cancel',
      arguments: { order_id: 'PED-1001' },
      rule: 'fills_parameter',
    },
    {
      ...cancelling,
      message: 'o pedido é o PED-1001',
      status: 'AWAITING_CONFIRMATION',
      tool: 'retail_order_cancel',
      arguments: { order_id: 'PED-1001' },
      rule: 'fills_parameter',
    },
    {
      ...disputing,
      message: 'R$ 71,99',
      status: 'AWAITING_CONFIRMATION',
      tool: 'contestar_cobranca',
      arguments: { subject: 'TIM Fashion', valor: 71.99 },
      rule: 'fills_parameter',
    },
    {
      ...disputing,
      message: 'esquece, quero ver minha fatura',
      status: 'COLLECTING_PARAMETERS',
      tool: 'consultar_fatura',
      arguments: {},
      rule: 'abandons',
    },
    {
      ...cancelling,
      message: 'quero rastrear pedido',
      status: 'COLLECTING_PARAMETERS',
      tool: 'rastrear_pedido',
      arguments: {},
      rule: 'new_intent',
    },
    // Beyond the table: what each of its rules says of the neighbouring cases.
    {
      ...cancelling,
      message: 'cancelar o PED-1001',
      ...kept,
      status: 'AWAITING_CONFIRMATION',
      arguments: { order_id: 'PED-1001' },
      rule: 'fills_parameter',
    },
    { ...cancelling, message: 'esquece', status: 'CANCELLED', tool: null, arguments: {}, rule: 'abandons' },
    { ...cancelling, message: 'pedido', ...kept, rule: 'domain_word' },
    { ...cancelling, message: 'e a entrega?', ...kept, rule: 'domain_word' },
    { ...cancelling, message: 'sim', ...kept, rule: 'unclear' },
    { ...cancelling, message: 'não sei', ...kept, rule: 'unclear' },
    { ...cancelling, message: 'qual?', ...kept, rule: 'unclear' },
    { ...cancelling, message: 'PED-1', ...kept, rule: 'invalid_value' },
    { ...cancelling, message: 'quero cancelar pedido', ...kept, rule: 'same_intent' },
    {
      ...disputing,
      message: 'qual o valor?',
      status: 'COLLECTING_PARAMETERS',
      tool: 'contestar_cobranca',
      arguments: { subject: 'TIM Fashion' },
      rule: 'domain_word',
    },
  ];

  it.each(rows.map((row) => [row.opened.join(' / '), row.message, row] as const))('%s, then %p', (_, message, row) => {
    const talk = new SpokenConversation(row.agent === 'retail' ? retail : telecom);
    row.opened.forEach((text) => talk.says(text));
    const answer = talk.says(message);
    expect(answer).not.toBeNull();
    const { transaction_status: status, active_transaction: active } = talk.view();
    expect({ status, tool: active?.tool ?? null, arguments: active?.arguments ?? {}, rule: talk.lastRule() }).toEqual({
      status: row.status,
      tool: row.tool,
      arguments: row.arguments,
      rule: row.rule,
    });
    expect(talk.executions()).toEqual([]);
  });

  it('clarifies so many times, then hands off, and still takes the answer', () => {
    const talk = new SpokenConversation(retail);
    talk.says('quero cancelar pedido');
    const kinds = ['hum', 'pedido', 'sei lá', 'xyz'].map((text) => kindsOf(talk.says(text)).join());
    expect(kinds).toEqual(['ask_parameter', 'ask_parameter', 'ask_parameter', 'handoff']);
    expect(talk.says('PED-1001')?.facts.transactionStatus).toBe('AWAITING_CONFIRMATION');
  });

  it('parks what an unmistakable wish interrupts, offers it again, and a plain "sim" takes it up', () => {
    const talk = new SpokenConversation(retail);
    talk.says('quero devolver o pedido PED-1002');
    expect(kindsOf(talk.says('quero rastrear o pedido PED-1001'))).toEqual(['parked', 'outcome', 'offer_resume']);
    expect(kindsOf(talk.says('sim'))).toEqual(['resumed', 'ask_parameter']);
    expect(talk.view().active_transaction).toMatchObject({ arguments: { order_id: 'PED-1002' } });
    expect(talk.view().missing_parameters).toEqual(['reason']);
  });

  it('drops what was parked when the offer is declined', () => {
    const talk = new SpokenConversation(retail);
    talk.says('quero cancelar pedido');
    talk.says('quero rastrear o pedido PED-1001');
    expect(kindsOf(talk.says('não'))).toEqual(['cancelled']);
    expect(talk.state).toMatchObject({ parked: [], transaction: null });
  });
});

describe('the life cycle of seeds/002 section 4', () => {
  const walk = (backend: Backend, texts: readonly string[]): readonly string[] => {
    const talk = new SpokenConversation(retail, backend);
    return texts.map((text) => {
      talk.says(text);
      return AgentState.parse(talk.view()).transaction_status ?? '';
    });
  };
  const silent: Backend = (call) => (call.purpose === 'execution' ? null : agreeable(call));
  const refuses: Backend = () => ({ data: { eligible: false, reason: 'já enviado' } });
  const fails: Backend = (call) =>
    call.purpose === 'execution'
      ? { ok: false, outcome: 'FAILED', error: { errorCategory: 'business', isRetryable: false, message: 'recusado' } }
      : agreeable(call);

  it.each([
    [
      'executes',
      agreeable,
      ['oi', 'quero cancelar pedido', 'PED-1001', 'sim'],
      ['IDLE', 'COLLECTING_PARAMETERS', 'AWAITING_CONFIRMATION', 'COMPLETED'],
    ],
    [
      'waits for the validator',
      () => null,
      ['quero cancelar pedido', 'PED-1001'],
      ['COLLECTING_PARAMETERS', 'PRE_VALIDATION'],
    ],
    ['waits for the tool', silent, ['cancela o pedido PED-1001', 'sim'], ['AWAITING_CONFIRMATION', 'EXECUTING']],
    ['is declined', agreeable, ['cancela o pedido PED-1001', 'não'], ['AWAITING_CONFIRMATION', 'CANCELLED']],
    ['is not eligible', refuses, ['cancela o pedido PED-1001'], ['OUT_OF_SCOPE']],
    ['fails', fails, ['cancela o pedido PED-1001', 'sim'], ['AWAITING_CONFIRMATION', 'FAILED']],
  ] as const)('%s', (_, backend, texts, statuses) => {
    expect(walk(backend, texts)).toEqual(statuses);
  });
});

describe('the anti-patterns of seeds/002 section 11', () => {
  it('does not rebuild the transaction from the last message', () => {
    const talk = new SpokenConversation(telecom);
    talk.says('não contratei TIM CTRL Redes Sociais 8.0');
    talk.says('o valor foi 71,99');
    expect(talk.view().active_transaction).toMatchObject({
      arguments: { subject: 'TIM CTRL Redes Sociais 8.0', valor: 71.99 },
    });
  });

  it('does not take selected_tool_call for the latch: only the transaction counts after a restart', () => {
    const talk = new SpokenConversation(retail);
    talk.says('quero cancelar pedido');
    talk.state = { ...talk.state, ...{ selected_tool_call: { tool_name: 'rastrear_pedido' } } };
    talk.restarts();
    talk.says('PED-1001');
    expect(talk.view().selected_tool_call).toMatchObject({ tool_name: 'retail_order_cancel' });
  });

  it('does not do without active_transaction: a status alone is an inconsistency, not a new start', () => {
    const talk = new SpokenConversation(retail);
    talk.state = JSON.parse(JSON.stringify({ ...talk.state, transaction: { status: 'COLLECTING_PARAMETERS' } }));
    talk.restarts();
    expect(kindsOf(talk.says('quero cancelar o pedido PED-1001'))).toEqual(['inconsistent']);
    expect(talk.calls).toEqual([]);
    expect(talk.says('esquece, quero cancelar o pedido PED-1001')?.facts.transactionStatus).toBe(
      'AWAITING_CONFIRMATION',
    );
  });

  it('does not let the keyword "pedido" interrupt the collection of order_id', () => {
    const talk = new SpokenConversation(retail);
    talk.says('quero cancelar pedido');
    ['pedido', 'meu pedido', 'o pedido?'].forEach((text) => talk.says(text));
    expect(talk.view().active_transaction).toMatchObject({ tool: 'retail_order_cancel' });
    expect(talk.events.filter(({ type }) => type === 'TransactionStarted')).toHaveLength(1);
  });

  it('does not keep parameters anywhere but in the stored state', () => {
    const talk = new SpokenConversation(telecom);
    talk.says('não contratei TIM Fashion');
    talk.restarts();
    talk.says('R$ 71,99');
    talk.restarts();
    talk.says('sim');
    expect(talk.executions()).toEqual([
      { tool_name: 'contestar_cobranca', arguments: { subject: 'TIM Fashion', valor: 71.99 } },
    ]);
  });

  it('does not ask twice for a confirmation, nor run without it', () => {
    const talk = new SpokenConversation(retail);
    const asked = ['quero cancelar pedido', 'PED-1001'].map((text) => kindsOf(talk.says(text)).join());
    expect(asked).toEqual(['ask_parameter', 'ask_confirmation']);
    expect(talk.executions()).toEqual([]);
    expect(kindsOf(talk.says('sim'))).toEqual(['outcome']);
    expect(kindsOf(talk.says('sim'))).toEqual(['nothing_to_confirm']);
    expect(talk.executions()).toHaveLength(1);
  });

  it('does not let the latch go before the terminal state', () => {
    const talk = new SpokenConversation(retail, (call) => (call.purpose === 'execution' ? null : agreeable(call)));
    talk.says('cancela o pedido PED-1001');
    ['xyz', 'qual o horário?'].forEach((text) => talk.says(text));
    expect(talk.state.transaction?.status).toBe('AWAITING_CONFIRMATION');
    talk.says('sim');
    expect(kindsOf(talk.says('e aí?'))).toEqual(['working']);
    expect(talk.state.transaction?.status).toBe('EXECUTING');
    talk.answers(talk.calls.at(-1), { outcome: 'SUCCESS' });
    expect(talk.state).toMatchObject({ transaction: null, last: { status: 'COMPLETED' } });
  });
});
