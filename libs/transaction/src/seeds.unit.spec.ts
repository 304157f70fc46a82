import { describe, expect, it } from '@jest/globals';
import { AgentState } from '@latch/contracts';
import { Conversation, gibberish, kinds, slot, wants, yes } from './fixtures/conversation.ts';
import { restoreState } from './restore-state.ts';
import { toAgentState } from './to-agent-state.ts';

const vas = ['TIM Fashion Mensal', 'Aya Audiobooks Premium', 'Neymar Jr'];
const resolved = {
  eligible: true,
  transaction_decision: {
    resolved_arguments: { subject: vas.join(', '), items: vas.map((name) => ({ name })) },
    target_tool: 'cancelar_vas_avulso',
    confirmation_message: 'Você confirma o cancelamento de TIM Fashion Mensal, Aya Audiobooks Premium e Neymar Jr?',
  },
};

describe('the regressions of seeds/002 section 10', () => {
  it('A: "o pedido é o PED-1001" stays the cancellation and never becomes tracking', () => {
    const talk = new Conversation();
    expect(slot(talk.says(wants('retail_order_cancel')), 'ask_parameter').parameter.name).toBe('order_id');
    const slots = talk.says({
      text: 'o pedido é o PED-1001',
      values: { order_id: 'PED-1001' },
      hasDomainWord: true,
      ...wants('retail_order_tracking', { order_id: 'PED-1001' }),
    });
    expect(kinds(slots)).toEqual(['ask_confirmation']);
    talk.says(yes);
    expect(talk.executions()).toMatchObject([
      { call: { tool: 'retail_order_cancel', arguments: { order_id: 'PED-1001' } } },
    ]);
    expect(kinds(talk.answers({ outcome: 'SUCCESS' }))).toEqual(['outcome']);
    expect(talk.state.last).toMatchObject({ status: 'COMPLETED', tool: 'retail_order_cancel' });
  });

  it('B: subject and value of two turns reach the pre-validation together', () => {
    const talk = new Conversation();
    talk.says(wants('contestar_cobranca', { subject: 'TIM CTRL Redes Sociais 8.0' }));
    expect(talk.says({ text: 'R$ 71,99', values: { valor: '71.99' } })).toEqual([]);
    expect(talk.lastReaction?.invocations).toMatchObject([
      {
        tool_name: 'validar_contestacao',
        purpose: 'pre_validation',
        arguments: { subject: 'TIM CTRL Redes Sociais 8.0', valor: '71.99' },
      },
    ]);
  });

  it('C: "esquece, quero ver minha fatura" cancels, then shows the invoice in the same turn', () => {
    const talk = new Conversation();
    talk.says(wants('retail_order_cancel'));
    expect(talk.says({ abandons: true, ...wants('consultar_fatura') })).toEqual([]);
    const slots = talk.answers({ outcome: 'SUCCESS', data: { total: '99.90' } });
    expect(kinds(slots)).toEqual(['cancelled', 'outcome']);
    expect(talk.lastReaction?.replies).toMatchObject([{ turnId: 'turn-2' }]);
    expect(talk.events.filter(({ type }) => type === 'TransactionEnded')).toMatchObject([
      { status: 'CANCELLED', reason: 'abandoned' },
      { status: 'COMPLETED' },
    ]);
  });

  it('D: after a restart the missing parameter completes the same transaction', () => {
    const talk = new Conversation();
    talk.says(wants('retail_order_cancel'));
    const id = talk.state.transaction?.id;
    talk.state = restoreState(talk.state, JSON.parse(JSON.stringify(talk.state)));
    talk.says({ values: { order_id: 'PED-1001' } });
    talk.says(yes);
    talk.answers({ outcome: 'SUCCESS' });
    expect(talk.state.last).toMatchObject({ id, status: 'COMPLETED' });
    expect(talk.executions()).toHaveLength(1);
  });
});

describe('precedence while a parameter is pending (seeds/002 section 6)', () => {
  it('takes a clear value first, even when the sentence holds the word "cancelar"', () => {
    const talk = new Conversation();
    talk.says(wants('retail_order_cancel'));
    talk.says({ text: 'cancelar o PED-1001', values: { order_id: 'PED-1001' }, abandons: true });
    expect(talk.status).toBe('AWAITING_CONFIRMATION');
  });

  it('lets an unequivocal change of intent interrupt, and keeps a trace of it', () => {
    const talk = new Conversation();
    talk.says(wants('retail_order_cancel'));
    const slots = talk.says(wants('retail_order_tracking'));
    expect(kinds(slots)).toEqual(['parked', 'ask_parameter']);
    expect(talk.state.transaction).toMatchObject({ tool: 'retail_order_tracking' });
    expect(talk.state.parked).toMatchObject([{ tool: 'retail_order_cancel', status: 'INTERRUPTED' }]);
  });

  it('never lets a generic word of the domain interrupt', () => {
    const talk = new Conversation();
    talk.says(wants('retail_order_cancel'));
    const slots = talk.says({ text: 'pedido', hasDomainWord: true });
    expect(slot(slots, 'ask_parameter')).toMatchObject({ parameter: { name: 'order_id' }, why: 'unclear' });
    expect(talk.state.transaction).toMatchObject({ tool: 'retail_order_cancel' });
  });

  it('does not take an intent that is not clear for a change of intent', () => {
    const talk = new Conversation();
    talk.says(wants('retail_order_cancel'));
    talk.says({ intent: { ...wants('retail_order_tracking').intent, isClear: false } });
    expect(talk.state.transaction).toMatchObject({ tool: 'retail_order_cancel', status: 'COLLECTING_PARAMETERS' });
  });

  it('does not take a yes for a value', () => {
    const talk = new Conversation();
    talk.says(wants('retail_order_cancel'));
    talk.says(yes);
    expect(talk.state.transaction).toMatchObject({ status: 'COLLECTING_PARAMETERS', arguments: {} });
  });

  it('answers a question with a fixed answer aside, and puts its own question again', () => {
    const talk = new Conversation();
    talk.says(wants('retail_order_cancel'));
    expect(kinds(talk.says(wants('horario')))).toEqual(['fixed', 'ask_parameter']);
    expect(talk.status).toBe('COLLECTING_PARAMETERS');
  });
});

describe('the anti-patterns of seeds/002 section 11', () => {
  it('does not rebuild the transaction from the last message', () => {
    const talk = new Conversation();
    talk.says(wants('contestar_cobranca', { valor: '71.99' }));
    talk.says({ values: { subject: 'TIM CTRL Redes Sociais 8.0' } });
    expect(talk.state.transaction?.arguments).toEqual({ valor: '71.99', subject: 'TIM CTRL Redes Sociais 8.0' });
  });

  it('never reads selected_tool_call or pending_tool_call back as truth', () => {
    const talk = new Conversation();
    talk.says(wants('retail_order_cancel', { order_id: 'PED-1001' }));
    const restored = restoreState(talk.state, { ...talk.state, selected_tool_call: { tool_name: 'outra' } });
    expect(toAgentState(restored).selected_tool_call).toMatchObject({ tool_name: 'retail_order_cancel' });
  });

  it('keeps the latch until the terminal state', () => {
    const talk = new Conversation();
    talk.says(wants('retail_order_cancel', { order_id: 'PED-1001' }));
    talk.says(gibberish);
    talk.says(yes);
    expect(talk.state.transaction).not.toBeNull();
    talk.answers({ outcome: 'SUCCESS' });
    expect(talk.state.transaction).toBeNull();
  });

  it('publishes active_transaction, last_transaction and the rest of the agent state in every state', () => {
    const talk = new Conversation();
    const views = [wants('retail_order_cancel'), { values: { order_id: 'PED-1001' } }, yes].map((spoken) => {
      talk.says(spoken);
      return AgentState.parse(toAgentState(talk.state));
    });
    expect(views.map((view) => view.transaction_status)).toEqual([
      'COLLECTING_PARAMETERS',
      'AWAITING_CONFIRMATION',
      'EXECUTING',
    ]);
    expect(views[0]).toMatchObject({ missing_parameters: ['order_id'], confirmation_required: false });
    expect(views[1]).toMatchObject({ missing_parameters: [], confirmation_required: true });
    expect(views[2]).toMatchObject({ confirmation_received: true, next_state: 'execute' });
  });

  it('answers an inconsistent state in a controlled way and never restarts it in silence', () => {
    const talk = new Conversation();
    talk.state = restoreState(talk.state, { ...talk.state, transaction: { status: 'COLLECTING_PARAMETERS' } });
    const slots = talk.says(wants('retail_order_cancel'));
    expect(kinds(slots)).toEqual(['inconsistent']);
    expect(talk.lastReaction?.signals.map(({ eventType }) => eventType)).toContain('NOC.STATE_INCONSISTENT');
    expect(talk.status).toBe('IDLE');
    talk.says({ abandons: true, ...wants('retail_order_cancel') });
    expect(talk.status).toBe('COLLECTING_PARAMETERS');
  });
});

describe('several items in one operation (seeds/000)', () => {
  it('E: shows the three resolved services once, sends one logical call and reports each item', () => {
    const talk = new Conversation();
    talk.says(wants('cancelar_vas_avulso', { subject: 'TIM Fashion, Aya Audiobooks, Neymar Jr' }));
    const shown = slot(talk.answers({ data: resolved }), 'ask_confirmation');
    expect(shown.items.map(({ label }) => label)).toEqual(vas);
    talk.says(yes);
    expect(talk.lastReaction?.invocations).toMatchObject([
      { arguments: resolved.transaction_decision.resolved_arguments, items: vas.map((id) => ({ id, label: id })) },
    ]);
    const told = slot(
      talk.answers({
        outcome: 'PARTIAL_SUCCESS',
        items: vas.map((id, index) => ({ id, label: id, outcome: index === 1 ? 'failed' : 'succeeded' })),
      }),
      'outcome',
    );
    expect(told).toMatchObject({ outcome: 'PARTIAL_SUCCESS', items: [{}, { outcome: 'failed' }, {}] });
    expect(talk.state.last).toMatchObject({ status: 'COMPLETED', outcome: 'PARTIAL_SUCCESS' });
  });

  it('F: takes a list argument as it is, without a special key', () => {
    const talk = new Conversation();
    talk.says(wants('cancelar_produtos', { items: [{ name: 'A', id: '1001' }, 'B'] }));
    talk.says(yes);
    expect(talk.lastReaction?.invocations).toMatchObject([
      { arguments: { items: [{ name: 'A', id: '1001' }, 'B'] }, items: [{ id: '1001', label: 'A' }, { id: 'B' }] },
    ]);
  });

  it('leaves a scalar whole when nothing expands it', () => {
    const talk = new Conversation();
    talk.says(wants('cancelar_vas_avulso', { subject: 'A, B' }));
    talk.answers({ data: { eligible: true } });
    talk.says(yes);
    expect(talk.lastReaction?.invocations).toMatchObject([{ arguments: { subject: 'A, B' }, items: [] }]);
  });

  it('shows and confirms an item that is not eligible with the others, since it is sent with them and the tool says what became of it', () => {
    const items = [
      { name: 'A', eligible: true },
      { name: 'B', eligible: false, reason: 'item_nao_encontrado' },
    ];
    const talk = new Conversation();
    talk.says(wants('cancelar_vas_avulso', { subject: 'A, B' }));
    const answer = {
      eligible: true,
      status: 'PARTIALLY_ELIGIBLE',
      transaction_decision: { resolved_arguments: { items } },
    };
    const shown = slot(talk.answers({ data: answer }), 'ask_confirmation');
    expect(shown).toMatchObject({
      items: [{ label: 'A' }, { label: 'B' }],
      rejected: [{ label: 'B', reason: 'item_nao_encontrado' }],
    });
    talk.says(yes);
    expect(talk.lastReaction?.invocations).toMatchObject([{ arguments: { items }, items: [{ id: 'A' }, { id: 'B' }] }]);
  });
});
