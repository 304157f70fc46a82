import { describe, expect, it } from '@jest/globals';
import { canonicalize } from './canonicalize.ts';
import { agent, agentWith, parameter, tool } from './fixtures/agent.ts';
import { Conversation, gibberish, kinds, no, slot, wants, yes } from './fixtures/conversation.ts';
import { mapArguments } from './map-arguments.ts';

const dispute = wants('contestar_cobranca', { subject: 'TIM' });

describe('collecting parameters', () => {
  it('keeps everything that came with the opening sentence', () => {
    const talk = new Conversation();
    talk.says(wants('retail_order_cancel', { order_id: 'PED-1001' }));
    expect(talk.status).toBe('AWAITING_CONFIRMATION');
  });

  it('records a later value of the same parameter as a correction', () => {
    const talk = new Conversation();
    talk.says(dispute);
    talk.says({ values: { subject: 'TIM CTRL' }, corrects: true });
    expect(talk.state.transaction).toMatchObject({
      arguments: { subject: 'TIM CTRL' },
      missing: ['valor'],
      corrections: [{ parameter: 'subject', from: 'TIM', to: 'TIM CTRL', turnId: 'turn-2' }],
    });
  });

  it('says what is wrong with a value that breaks its declaration, and keeps the valid ones', () => {
    const talk = new Conversation();
    talk.says(wants('contestar_cobranca'));
    const inputs = { arguments: { subject: 'TIM', valor: 'muito' } };
    expect(slot(talk.says({ turn: { inputs } }), 'ask_parameter')).toMatchObject({
      parameter: { name: 'valor' },
      why: 'invalid',
      detail: 'must be an amount such as 71.99',
    });
    expect(talk.state.transaction?.arguments).toEqual({ subject: 'TIM' });
  });

  it('drops arguments that the tool does not declare', () => {
    const talk = new Conversation();
    talk.says(wants('retail_order_cancel', { order_id: 'PED-1001', refund_to: 'me' }));
    expect(talk.state.transaction?.arguments).toEqual({ order_id: 'PED-1001' });
  });

  it('does not blame a new intent for a broken value of the one before', () => {
    const talk = new Conversation();
    talk.says(wants('retail_order_cancel'));
    const slots = talk.says({ invalid: { order_id: 'must match' }, ...wants('retail_order_tracking') });
    expect(slot(slots, 'ask_parameter').why).toBe('missing');
  });

  it('asks at most so many times in a row, then offers a person, and still takes a clear answer', () => {
    const talk = new Conversation();
    talk.says(wants('retail_order_cancel'));
    const said = [1, 2, 3, 4].map(() => kinds(talk.says(gibberish))[0]);
    expect(said).toEqual(['ask_parameter', 'ask_parameter', 'ask_parameter', 'handoff']);
    expect(talk.lastReaction?.signals.map(({ eventType }) => eventType)).toContain('IC.HANDED_OFF');
    talk.says({ values: { order_id: 'PED-1001' } });
    expect(talk.status).toBe('AWAITING_CONFIRMATION');
  });

  it('expires after its time, also without the sweeper, and routes what the late message says', () => {
    const talk = new Conversation();
    talk.says(wants('retail_order_cancel'));
    talk.passes(1800);
    expect(kinds(talk.says(wants('retail_order_cancel')))).toEqual(['expired', 'ask_parameter']);
    expect(talk.state.last).toMatchObject({ status: 'EXPIRED' });
  });

  it('keeps a turn that comes twice as evidence and answers it once', () => {
    const talk = new Conversation();
    const turn = talk.turn(wants('retail_order_cancel'));
    talk.hear(turn);
    talk.hear(turn);
    expect(talk.facts()).toEqual(['InputIgnored']);
    expect(talk.lastReaction?.replies).toEqual([]);
  });
});

describe('the sources of an argument, in their order', () => {
  const sources = { toolArguments: {}, context: {}, metadata: {} };
  const line = tool('mudar_plano', [parameter('linha'), parameter('plano')], {
    mapping: { map: { resource_key: 'linha' }, defaults: { canal: 'chat' }, idempotencyArgument: null },
  });
  const phone = agentWith({
    tools: { mudar_plano: line },
    intents: [{ intent: 'mudar_plano', route: 'x', tool: 'mudar_plano', keywords: [], examples: [], reply: null }],
  });

  it.each([
    ['tool_arguments', { toolArguments: { plano: 'A' }, context: { plano: 'B' }, metadata: { plano: 'C' } }, 'A'],
    ['context', { toolArguments: {}, context: { plano: 'B' }, metadata: { plano: 'C' } }, 'B'],
    ['metadata', { toolArguments: {}, context: {}, metadata: { plano: 'C' } }, 'C'],
    ['text', sources, 'D'],
  ])('takes %s before all that follow', (source, given, value) => {
    const talk = new Conversation(phone);
    talk.says({ ...wants('mudar_plano', { plano: 'D' }), turn: { sources: given } });
    expect(talk.state.transaction?.arguments['plano']).toBe(value);
    expect(talk.lastEvents).toContainEqual(expect.objectContaining({ sources: { plano: source } }));
  });

  it('lets what was said correct what the surroundings gave', () => {
    const talk = new Conversation(phone);
    const turn = { sources: { ...sources, context: { plano: 'B' } } };
    talk.says({ ...wants('mudar_plano'), turn });
    talk.says({ values: { plano: 'D' }, turn });
    talk.says({ ...gibberish, turn });
    expect(talk.state.transaction?.arguments['plano']).toBe('D');
  });

  it('never lets the text speak for another customer than the business context', () => {
    const talk = new Conversation(phone);
    talk.says({
      ...wants('mudar_plano', { linha: '999', plano: 'A' }),
      turn: { businessContext: { resource_key: '111' } },
    });
    talk.says({
      confirmation: 'no_with_change',
      values: { linha: '999' },
      turn: { businessContext: { resource_key: '111' } },
    });
    talk.says(yes);
    expect(talk.executions()).toMatchObject([{ call: { arguments: { linha: '111', plano: 'A', canal: 'chat' } } }]);
  });

  it('merges the business context over turns', () => {
    const talk = new Conversation(phone);
    talk.says({ ...wants('mudar_plano'), turn: { businessContext: { resource_key: '111' } } });
    talk.says({ values: { plano: 'A' }, turn: { businessContext: { customer_key: 'c' } } });
    expect(talk.state.transaction?.businessContext).toEqual({ resource_key: '111', customer_key: 'c' });
  });

  it('puts the collected value before the mapped one, and the mapped one before a default', () => {
    expect(mapArguments(line, { canal: 'app' }, { resource_key: '111' })).toEqual({ canal: 'app', linha: '111' });
    expect(mapArguments(line, {}, { resource_key: null })).toEqual({ canal: 'chat' });
  });
});

describe('the declaration of a parameter', () => {
  it.each([
    ['a number in text', parameter('n', { type: 'number' }), '71.99', 71.99],
    ['a whole number', parameter('n', { type: 'integer' }), '7', 7],
    ['an identifier with leading zeros', parameter('cep'), '01310100', '01310100'],
    ['a number given for a text', parameter('id'), 1001, '1001'],
    ['a truth value in text', parameter('b', { type: 'boolean' }), 'true', true],
    ['one entry for a list', parameter('l', { type: 'array' }), 'A', ['A']],
    ['a listed value in another letter case', parameter('e', { enum: ['Checking'] }), 'checking', 'Checking'],
    ['an object', parameter('o', { type: 'object' }), { a: 1 }, { a: 1 }],
  ])('takes %s', (_, declared, value, expected) => {
    expect(canonicalize(declared, value)).toEqual({ ok: true, value: expected });
  });

  it.each([
    ['a fraction for a whole number', parameter('n', { type: 'integer' }), '7.5'],
    ['a word for a number', parameter('n', { type: 'number' }), 'sete'],
    ['a value out of its list', parameter('e', { enum: ['a', 'b'] }), 'c'],
    ['a value that breaks its pattern', parameter('p', { pattern: '^PED-' }), 'X-1'],
    ['too small an amount', parameter('m', { format: 'money', minimum: 1 }), '0.50'],
    ['too large a number', parameter('n', { type: 'number', maximum: 10 }), 11],
    ['a date in another notation', parameter('d', { format: 'date' }), '06/02/2027'],
    ['a list for an object', parameter('o', { type: 'object' }), []],
    ['an object for a text', parameter('t'), {}],
    ['a maybe for a truth value', parameter('b', { type: 'boolean' }), 'talvez'],
    ['a value nested beyond all reason', parameter('o', { type: 'object' }), nested(200)],
  ])('refuses %s with a reason', (_, declared, value) => {
    expect(canonicalize(declared, value)).toEqual({ ok: false, error: expect.stringMatching(/^must /) });
  });

  function nested(levels: number): unknown {
    return levels === 0 ? 1 : { inner: nested(levels - 1) };
  }
});

describe('parked transactions', () => {
  it('are bounded in number: the oldest is given up', () => {
    const talk = new Conversation();
    ['retail_order_cancel', 'retail_order_tracking', 'renomear_linha', 'cancelar_vas_avulso'].forEach((intent) =>
      talk.says(wants(intent)),
    );
    expect(talk.state.parked.map(({ tool: name }) => name)).toEqual(['renomear_linha', 'retail_order_tracking']);
    expect(talk.state.last).toMatchObject({
      tool: 'retail_order_cancel',
      status: 'CANCELLED',
      reason: 'too_many_parked',
    });
  });

  it('do not exist where the configuration wants none', () => {
    const talk = new Conversation(agentWith({ maxParked: 0 }));
    talk.says(wants('retail_order_cancel'));
    expect(kinds(talk.says(wants('retail_order_tracking')))).toEqual(['cancelled', 'ask_parameter']);
    expect(talk.state.parked).toEqual([]);
  });

  it('are bounded in age', () => {
    const talk = new Conversation();
    talk.says(wants('retail_order_cancel'));
    talk.says(wants('consultar_fatura'));
    talk.answers({ outcome: 'SUCCESS' });
    talk.waits(1800);
    expect(talk.state.parked).toEqual([]);
    expect(talk.state.last).toMatchObject({ tool: 'retail_order_cancel', status: 'EXPIRED' });
  });

  it('are taken up again with their arguments when the offer is accepted', () => {
    const talk = new Conversation();
    talk.says(dispute);
    talk.says(wants('consultar_fatura'));
    expect(kinds(talk.answers({ outcome: 'SUCCESS' }))).toEqual(['parked', 'outcome', 'offer_resume']);
    expect(kinds(talk.says(yes))).toEqual(['resumed', 'ask_parameter']);
    expect(talk.state.transaction).toMatchObject({ tool: 'contestar_cobranca', arguments: { subject: 'TIM' } });
  });

  it('are given up when the offer is declined, and stay when something else is said', () => {
    const talk = new Conversation();
    talk.says(dispute);
    talk.says(wants('consultar_fatura'));
    talk.answers({ outcome: 'SUCCESS' });
    talk.says(gibberish);
    expect(talk.state.parked).toHaveLength(1);
    expect(kinds(talk.says(yes))).toEqual(['nothing_to_confirm']);
    talk.says(wants('consultar_fatura'));
    talk.answers({ outcome: 'SUCCESS' });
    expect(kinds(talk.says(no))).toEqual(['cancelled']);
    expect(talk.state.last).toMatchObject({ tool: 'contestar_cobranca', status: 'CANCELLED' });
  });

  it('change places with the open one when they are asked for by name', () => {
    const talk = new Conversation();
    talk.says(dispute);
    talk.says(wants('retail_order_cancel'));
    talk.says({ resumes: true, ...wants('contestar_cobranca', { valor: '71.99' }) });
    expect(talk.state.transaction).toMatchObject({ tool: 'contestar_cobranca', status: 'PRE_VALIDATION' });
    expect(talk.state.parked).toMatchObject([{ tool: 'retail_order_cancel' }]);
  });
});

describe('structured input', () => {
  it('starts, fills, answers and gives up like text', () => {
    const talk = new Conversation();
    talk.says({ turn: { inputs: { intent: 'retail_order_cancel' } } });
    talk.says({ turn: { inputs: { arguments: { order_id: 'PED-1001' } } } });
    expect(talk.status).toBe('AWAITING_CONFIRMATION');
    talk.says({ turn: { inputs: { abandon: true } } });
    expect(talk.state.last).toMatchObject({ status: 'CANCELLED', reason: 'abandoned' });
  });

  it('amends instead of running when a yes brings other values', () => {
    const talk = new Conversation();
    talk.says(wants('retail_order_cancel', { order_id: 'PED-1001' }));
    talk.says({ turn: { inputs: { confirmation: 'yes', arguments: { order_id: 'PED-2002' } } } });
    expect(talk.state.transaction).toMatchObject({ status: 'AWAITING_CONFIRMATION', rev: 2 });
  });

  it('does nothing with an intent that the agent does not have', () => {
    const talk = new Conversation();
    expect(kinds(talk.says({ turn: { inputs: { intent: 'apagar_tudo' } } }))).toEqual(['help']);
  });

  it('says that a tool is not available when it is switched off', () => {
    const off = { ...agent.tools, consultar_fatura: tool('consultar_fatura', [], { enabled: false }) };
    const talk = new Conversation(agentWith({ tools: off }));
    expect(kinds(talk.says(wants('consultar_fatura')))).toEqual(['not_eligible']);
  });
});
