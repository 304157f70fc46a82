import { describe, expect, it } from '@jest/globals';
import { agent, agentWith, parameter, tool } from './fixtures/agent.ts';
import { abandon, Conversation, failureOf, gibberish, kinds, slot, wants, yes } from './fixtures/conversation.ts';

const vas = wants('cancelar_vas_avulso', { subject: 'A' });

function running(...said: Parameters<Conversation['says']>[0][]): Conversation {
  const talk = new Conversation();
  said.forEach((spoken) => talk.says(spoken));
  return talk;
}

describe('pre-validation', () => {
  it('ends out of scope, with the reason, when nothing is eligible', () => {
    const talk = running(vas);
    const slots = talk.answers({ data: { eligible: false, reason: 'servico_nao_encontrado' } });
    expect(slots).toEqual([{ kind: 'not_eligible', toolLabel: 'o cancelamento', reason: 'servico_nao_encontrado' }]);
    expect(talk.state.last).toMatchObject({ status: 'OUT_OF_SCOPE', preValidation: { eligible: false } });
  });

  it('goes on when nothing is eligible and the policy fails open', () => {
    const talk = running(wants('cancelar_aberto', { subject: 'A' }));
    expect(kinds(talk.answers({ data: { eligible: false } }))).toEqual(['ask_confirmation']);
  });

  it.each([
    ['fails', failureOf('transient')],
    ['says nothing readable', { data: { status: 'ok' } }],
    ['names another tool to run', { data: { eligible: true, transaction_decision: { target_tool: 'outra' } } }],
  ])('never takes a validator that %s for a no', (_, result) => {
    const talk = running(vas);
    expect(kinds(talk.answers(result))[0]).toBe('validation_failed');
    expect(talk.state.last).toMatchObject({ status: 'FAILED', reason: 'validator_failed' });
    const open = running(wants('cancelar_aberto', { subject: 'A' }));
    expect(kinds(open.answers(result))).toEqual(['ask_confirmation']);
  });

  it('fails honestly when the validator never answers, and answers the turn that waited', () => {
    const talk = running(vas);
    const slots = talk.waits(100);
    expect(kinds(slots)).toEqual(['validation_failed']);
    expect(talk.lastReaction?.replies).toMatchObject([{ turnId: 'turn-1' }]);
  });

  it('reopens exactly the parameter that the validator refuses, and keeps the rest', () => {
    const talk = running(wants('contestar_cobranca', { subject: 'TIM', valor: '71.99' }));
    const slots = talk.answers(failureOf('validation', { parameter: 'valor', message: 'valor acima da fatura' }));
    expect(slot(slots, 'ask_parameter')).toMatchObject({
      parameter: { name: 'valor' },
      why: 'invalid',
      detail: 'valor acima da fatura',
    });
    expect(talk.state.transaction).toMatchObject({ arguments: { subject: 'TIM' }, missing: ['valor'] });
    talk.says({ values: { valor: '51.99' } });
    expect(talk.lastReaction?.invocations).toMatchObject([{ arguments: { subject: 'TIM', valor: '51.99' } }]);
  });

  it('answers both turns when the user abandons meanwhile, and ignores the late answer of the validator', () => {
    const talk = running(vas);
    const call = talk.runningCall();
    talk.says(abandon);
    expect(talk.lastReaction?.replies.map(({ turnId, slots }) => [turnId, kinds(slots)])).toEqual([
      ['turn-1', ['cancelled']],
      ['turn-2', ['cancelled']],
    ]);
    talk.hear(talk.result(call, { data: { eligible: true } }));
    expect(talk.facts()).toEqual(['InputIgnored']);
    expect(talk.status).toBe('IDLE');
  });

  it('starts nothing twice while it runs', () => {
    const talk = running(vas);
    expect(kinds(talk.says(vas))).toEqual(['working']);
    expect(talk.lastReaction?.invocations).toEqual([]);
  });
});

describe('executing', () => {
  it('answers "working" to everything else, and the waiting turn with the result', () => {
    const talk = running(wants('retail_order_cancel', { order_id: 'PED-1001' }), yes);
    expect(kinds(talk.says(abandon))).toEqual(['working']);
    expect(kinds(talk.says(wants('consultar_fatura')))).toEqual(['working']);
    talk.answers({ outcome: 'SUCCESS' });
    expect(talk.lastReaction?.replies.map(({ turnId }) => turnId)).toEqual(['turn-2']);
  });

  it('keeps a second result of the same call as evidence', () => {
    const talk = running(wants('retail_order_cancel', { order_id: 'PED-1001' }), yes);
    const call = talk.runningCall();
    talk.answers({ outcome: 'SUCCESS' });
    talk.hear(talk.result(call, failureOf('business')));
    expect(talk.facts()).toEqual(['InputIgnored']);
    expect(talk.state.last).toMatchObject({ status: 'COMPLETED' });
  });

  it('runs a read with nothing missing in the same turn, without a confirmation', () => {
    const talk = running({ ...wants('consultar_fatura'), turn: { businessContext: { customer_key: 'c-9' } } });
    expect(talk.lastReaction?.invocations).toMatchObject([
      { tool_name: 'consultar_fatura', arguments: { customer_id: 'c-9' }, operation_type: 'read_only' },
    ]);
    expect(talk.lastReaction?.replies).toEqual([]);
  });

  it('runs a tool whose policy asks for no confirmation', () => {
    const talk = running(wants('renomear_linha'), { values: { apelido: 'casa' } });
    expect(talk.executions()).toMatchObject([{ confirmation: null, call: { arguments: { apelido: 'casa' } } }]);
  });

  it('takes an empty answer for a success that found nothing', () => {
    const talk = running(wants('consultar_fatura'));
    expect(slot(talk.answers({ outcome: 'SUCCESS', empty: true, data: [] }), 'outcome')).toMatchObject({
      isEmpty: true,
    });
    expect(talk.state.last).toMatchObject({ status: 'COMPLETED' });
  });

  it('reopens exactly the parameter that the tool refuses, under a new proposal', () => {
    const talk = running(wants('retail_order_cancel', { order_id: 'PED-1001' }), yes);
    const first = talk.executions()[0]?.call.idempotencyKey;
    talk.answers(failureOf('validation', { parameter: 'order_id' }));
    expect(talk.state.transaction).toMatchObject({ status: 'COLLECTING_PARAMETERS', missing: ['order_id'] });
    talk.says({ values: { order_id: 'PED-2002' } });
    talk.says(yes);
    expect(talk.executions()[1]?.call).toMatchObject({ rev: 2, arguments: { order_id: 'PED-2002' } });
    expect(talk.executions()[1]?.call.idempotencyKey).not.toBe(first);
  });

  it.each(['constructor', '__proto__', 'nada'])('reopens nothing that the tool does not declare: %s', (name) => {
    const talk = running(wants('retail_order_cancel', { order_id: 'PED-1001' }), yes);
    talk.answers(failureOf('validation', { parameter: name }));
    expect(talk.state.last).toMatchObject({ status: 'FAILED' });
  });

  it('never asks the user for an identity that the business context gives', () => {
    const talk = new Conversation(
      agentWith({
        tools: {
          consultar_fatura: tool('consultar_fatura', [parameter('customer_id')], {
            requiresConfirmation: false,
            mapping: { map: { customer_key: 'customer_id' }, defaults: {}, idempotencyArgument: null },
          }),
        },
      }),
    );
    talk.says({ ...wants('consultar_fatura'), turn: { businessContext: { customer_key: 'c-9' } } });
    talk.answers(failureOf('validation', { parameter: 'customer_id' }));
    expect(talk.state.last).toMatchObject({ status: 'FAILED' });
  });

  it('tells a business failure and ends', () => {
    const talk = running(wants('retail_order_cancel', { order_id: 'PED-1001' }), yes);
    const told = slot(talk.answers(failureOf('business')), 'outcome');
    expect(told).toMatchObject({ outcome: 'FAILED', error: { errorCategory: 'business' }, canRetry: false });
    expect(talk.state.last).toMatchObject({ status: 'FAILED', reason: 'tool_failed' });
  });

  it('tells a failure for lack of permission and passes it on to a person', () => {
    const talk = running(wants('retail_order_cancel', { order_id: 'PED-1001' }), yes);
    expect(kinds(talk.answers(failureOf('permission')))).toEqual(['outcome', 'handoff']);
  });

  it('fails a read that never answers, and lets it be tried again', () => {
    const talk = running(wants('consultar_fatura'));
    expect(slot(talk.waits(100), 'outcome')).toMatchObject({ outcome: 'FAILED', canRetry: true });
  });
});

const bothItems = ['A', 'B'].map((id) => ({ id, label: id, outcome: 'succeeded' as const }));

describe('an unknown outcome', () => {
  const cancel = wants('retail_order_cancel', { order_id: 'PED-1001' });
  const products = wants('cancelar_produtos', { items: ['A', 'B'] });

  it('is told as unknown, never as failed, and calls an operator when nobody can be asked', () => {
    const talk = running(cancel, yes);
    expect(slot(talk.answers({ ok: false, outcome: 'UNKNOWN' }), 'outcome').outcome).toBe('UNKNOWN');
    expect(talk.lastReaction?.signals.map(({ eventType }) => eventType)).toContain('NOC.OUTCOME_UNKNOWN');
    expect(talk.status).toBe('OUTCOME_UNKNOWN');
  });

  it('is what a call with an effect has that never answers', () => {
    const talk = running(cancel, yes);
    expect(slot(talk.waits(100), 'outcome').outcome).toBe('UNKNOWN');
  });

  it('asks the declared tool under the same key, and tells the finding in the next answer', () => {
    const talk = running(products, yes);
    talk.answers({ ok: false, outcome: 'UNKNOWN' });
    expect(talk.lastReaction?.invocations).toMatchObject([
      {
        tool_name: 'consultar_cancelamento',
        purpose: 'reconcile',
        operation_type: 'read_only',
        idempotency_key: talk.executions()[0]?.call.idempotencyKey,
      },
    ]);
    talk.answers({ outcome: 'SUCCESS', data: { found: true } });
    expect(talk.state.last).toMatchObject({ status: 'COMPLETED' });
    expect(kinds(talk.says(gibberish))).toEqual(['outcome']);
  });

  it('becomes a failure without effect when the server knows of no such call', () => {
    const talk = running(products, yes);
    talk.answers({ ok: false, outcome: 'UNKNOWN' });
    talk.answers(failureOf('transient'));
    talk.waits(1000);
    talk.answers({ outcome: 'SUCCESS', empty: true, data: null });
    expect(talk.state.last).toMatchObject({ status: 'FAILED', reason: 'no_effect_found', outcome: 'FAILED' });
    expect(talk.state.last?.items.map(({ outcome }) => outcome)).toEqual(['failed', 'failed']);
  });

  it('stays unknown when the server knows of no such call while the call may still be running there', () => {
    const talk = running(products, yes);
    talk.answers({ ok: false, outcome: 'UNKNOWN' });
    talk.answers({ outcome: 'SUCCESS', empty: true, data: null });
    expect(talk.status).toBe('OUTCOME_UNKNOWN');
    talk.waits(1000);
    talk.answers({ outcome: 'SUCCESS', data: { found: true } });
    expect(talk.state.last).toMatchObject({ status: 'COMPLETED' });
  });

  it('is told item by item, and an operator is named where nobody is asked', () => {
    const talk = running(products, yes);
    const told = slot(talk.answers({ ok: false, outcome: 'UNKNOWN' }), 'outcome');
    expect(told.items.map(({ outcome }) => outcome)).toEqual(['unknown', 'unknown']);
    expect(told.isBeingChecked).toBe(true);
    const { transactions } = talk.lastReaction ?? { transactions: [] };
    expect(transactions.flatMap(({ items }) => items.map(({ outcome }) => outcome))).toEqual(['unknown', 'unknown']);
  });

  it.each([
    ['failed itself', { ...failureOf('permission'), items: [{ id: 'A', label: 'A', outcome: 'failed' as const }] }],
    ['says nothing about the call', { outcome: 'SUCCESS' as const, data: { status: 'PENDING' } }],
    ['does not know either', { ok: false, outcome: 'UNKNOWN' as const }],
  ])('stays unknown when the tool that was asked %s', (_, result) => {
    const talk = running(products, yes);
    talk.answers({ ok: false, outcome: 'UNKNOWN' });
    talk.answers(result);
    expect(talk.status).toBe('OUTCOME_UNKNOWN');
  });

  it.each([
    ['the first answer, a refusal', { ...failureOf('business'), data: { found: true } }, 'FAILED'],
    ['outcomes of all items', { items: bothItems }, 'COMPLETED'],
    ['a success', { data: { success: true } }, 'COMPLETED'],
    ['that it was not found', { data: { found: false } }, 'FAILED'],
  ])('ends by evidence when the tool that was asked tells %s', (_, result, status) => {
    const talk = running(products, yes);
    talk.answers({ ok: false, outcome: 'UNKNOWN' });
    talk.answers(failureOf('transient'));
    talk.waits(1000);
    talk.answers(result);
    expect(talk.state.last).toMatchObject({ status });
  });

  it('stays unknown when the question brings no evidence, asks again later, and at last calls an operator', () => {
    const talk = running(products, yes);
    talk.answers({ ok: false, outcome: 'UNKNOWN' });
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      talk.answers(failureOf('transient'));
      expect(talk.status).toBe('OUTCOME_UNKNOWN');
      talk.waits(1000);
    }
    expect(talk.events.filter(({ type }) => type === 'ReconciliationStarted')).toHaveLength(5);
    expect(talk.lastReaction?.deadline).toBeNull();
    expect(talk.events).toContainEqual(expect.objectContaining({ type: 'ReconciliationFailed', nextCheckAt: null }));
  });

  it('is told for what it is: by the error of the call, not by that of a question about it, and never as something to be tried again', () => {
    const talk = running(products, yes);
    talk.waits(100);
    expect(talk.events).toContainEqual(
      expect.objectContaining({ type: 'OutcomeBecameUnknown', error: expect.objectContaining({ isRetryable: false }) }),
    );
    talk.answers(failureOf('permission', { message: 'the question was refused' }));
    expect(slot(talk.says({ text: 'e aí?' }), 'outcome')).toMatchObject({ outcome: 'UNKNOWN', error: null });
  });

  it('is resolved by the late answer of the call itself', () => {
    const talk = running(cancel, yes);
    const call = talk.runningCall();
    talk.waits(100);
    talk.hear(talk.result(call, { outcome: 'SUCCESS' }));
    expect(talk.state.last).toMatchObject({ status: 'COMPLETED' });
  });

  it('is never repeated by "tenta de novo", nor by starting the same thing again', () => {
    const talk = running(cancel, yes);
    talk.answers({ ok: false, outcome: 'UNKNOWN' });
    expect(slot(talk.says({ retriesFailed: true }), 'outcome').outcome).toBe('UNKNOWN');
    expect(slot(talk.says(cancel), 'outcome').outcome).toBe('UNKNOWN');
    expect(talk.state.last).toMatchObject({ status: 'CANCELLED', reason: 'outcome_pending' });
    expect(talk.executions()).toHaveLength(1);
    expect(talk.says(wants('retail_order_cancel', { order_id: 'PED-2002' }))).toMatchObject([
      { kind: 'ask_confirmation' },
    ]);
  });

  it('is not forgotten when it was set aside: who asks for nothing in particular hears of it', () => {
    const talk = running(cancel, yes);
    talk.answers({ ok: false, outcome: 'UNKNOWN' });
    talk.says(wants('retail_order_tracking', { order_id: 'PED-2002' }));
    talk.answers({ outcome: 'SUCCESS', data: {} });
    const said = talk.says({ text: 'e aí?' });
    expect(said).toMatchObject([{ kind: 'outcome', outcome: 'UNKNOWN' }, { kind: 'help' }]);
  });

  it('stops new work when too many outcomes of one conversation are unknown', () => {
    const talk = new Conversation();
    for (let order = 1001; order <= 1011; order += 1) {
      talk.says(wants('retail_order_cancel', { order_id: `PED-${order}` }));
      talk.says(yes);
      talk.answers({ ok: false, outcome: 'UNKNOWN' });
    }
    expect(talk.state.unresolved).toHaveLength(10);
    expect(slot(talk.says(wants('consultar_fatura')), 'outcome').outcome).toBe('UNKNOWN');
    expect(talk.status).toBe('OUTCOME_UNKNOWN');
  });

  it('is still asked about after the user turned to something else', () => {
    const talk = running(products, yes);
    talk.answers({ ok: false, outcome: 'UNKNOWN' });
    const question = talk.runningCall();
    talk.says(wants('retail_order_cancel'));
    expect(talk.state.unresolved).toHaveLength(1);
    talk.hear(talk.result(question, { outcome: 'SUCCESS', data: { found: true } }));
    expect(talk.state).toMatchObject({ unresolved: [], transaction: { tool: 'retail_order_cancel' } });
    expect(kinds(talk.says({ values: { order_id: 'PED-1001' } }))).toEqual(['outcome', 'ask_confirmation']);
  });
});

describe('trying again what failed', () => {
  const partial = {
    outcome: 'PARTIAL_SUCCESS',
    items: [
      { id: 'A', label: 'A', outcome: 'succeeded' },
      { id: 'B', label: 'B', outcome: 'failed', is_retryable: true },
      { id: 'C', label: 'C', outcome: 'failed', is_retryable: false },
    ],
  } as const;

  it('shows and runs only the retryable failed items, under their first item keys', () => {
    const talk = running(wants('cancelar_produtos', { items: ['A', 'B', 'C'] }), yes);
    const key = talk.executions()[0]?.call.idempotencyKey;
    expect(slot(talk.answers({ ...partial, items: [...partial.items] }), 'outcome').canRetry).toBe(true);
    const first = talk.state.last?.id;
    expect(slot(talk.says({ retriesFailed: true }), 'ask_confirmation').items).toEqual([{ label: 'B' }]);
    talk.says(yes);
    expect(talk.lastReaction?.invocations).toMatchObject([
      { arguments: { items: ['B'] }, items: [{ id: 'B', item_key: `${key}:B` }] },
    ]);
    expect(talk.executions()[1]?.call.idempotencyKey).not.toBe(key);
    expect(talk.state.transaction).toMatchObject({ lineage: { transactionId: first } });
  });

  it('does nothing when nothing may be tried again', () => {
    const talk = running(wants('retail_order_cancel', { order_id: 'PED-1001' }), yes);
    talk.answers(failureOf('business'));
    expect(kinds(talk.says({ retriesFailed: true }))).toEqual(['help']);
    expect(talk.status).toBe('IDLE');
  });

  it('tries a whole call again that failed in passing, after a new yes', () => {
    const talk = running(wants('retail_order_cancel', { order_id: 'PED-1001' }), yes);
    talk.answers(failureOf('transient'));
    talk.says({ retriesFailed: true });
    expect(talk.status).toBe('AWAITING_CONFIRMATION');
  });
});

describe('a tool that the configuration no longer offers', () => {
  it('ends its transaction instead of running', () => {
    const talk = running(wants('retail_order_cancel', { order_id: 'PED-1001' }));
    talk.agent = agentWith({
      tools: Object.fromEntries(Object.entries(agent.tools).filter(([name]) => name !== 'retail_order_cancel')),
    });
    expect(kinds(talk.says(yes))[0]).toBe('not_eligible');
    expect(talk.state.last).toMatchObject({ status: 'FAILED', reason: 'not_allowed' });
  });
});
