import { describe, expect, it } from '@jest/globals';
import { given } from './decider-spec.features.ts';
import { agentWith, parameter, tool } from './fixtures/agent.ts';
import {
  abandon,
  Conversation,
  failureOf,
  gibberish,
  instant,
  kinds,
  no,
  slot,
  type Spoken,
  wants,
  yes,
} from './fixtures/conversation.ts';

const order = wants('retail_order_cancel', { order_id: 'PED-1001' });
const products = wants('cancelar_produtos', { items: ['A', 'B', 'C'] });

function shown(spoken: Spoken): Conversation {
  const talk = new Conversation();
  talk.says(spoken);
  return talk;
}

describe('awaiting confirmation', () => {
  it('runs the tool once with exactly what was shown when the user says yes', () => {
    const talk = shown(order);
    given(talk.events)
      .when(talk.turn(yes))
      .then([
        { type: 'TurnReceived', rule: 'confirms' },
        { type: 'UserConfirmed', confirmation: { proposalId: talk.proposalId(), rev: 1, userId: 'ana' } },
        {
          type: 'ExecutionStarted',
          call: {
            tool: 'retail_order_cancel',
            arguments: { order_id: 'PED-1001' },
            proposalId: talk.proposalId(),
            turn: { turnId: 'turn-2' },
          },
        },
      ]);
  });

  it('runs the tool once when the user says yes twice', () => {
    const talk = shown(order);
    talk.says(yes);
    expect(kinds(talk.says(yes))).toEqual(['working']);
    talk.answers({ outcome: 'SUCCESS' });
    expect(kinds(talk.says(yes))).toEqual(['nothing_to_confirm']);
    expect(talk.executions()).toHaveLength(1);
  });

  it('never runs on a yes of a stale proposal, and shows the current one again', () => {
    const talk = shown(order);
    const stale = talk.proposalId();
    talk.says({ confirmation: 'no_with_change', values: { order_id: 'PED-2002' } });
    const slots = talk.says({ turn: { inputs: { confirmation: 'yes', proposal_id: stale } } });
    expect(kinds(slots)).toEqual(['stale_confirmation', 'ask_confirmation']);
    expect(talk.facts()).toEqual(['AnswerRefused']);
    expect(talk.executions()).toHaveLength(0);
  });

  it('never runs on a typed yes that the channel binds to a stale proposal', () => {
    const talk = shown(order);
    const stale = talk.proposalId();
    talk.says({ confirmation: 'no_with_change', values: { order_id: 'PED-2002' } });
    const slots = talk.says({ ...yes, turn: { inputs: { proposal_id: stale } } });
    expect(kinds(slots)).toEqual(['stale_confirmation', 'ask_confirmation']);
    expect(talk.executions()).toHaveLength(0);
    talk.says({ ...yes, turn: { inputs: { proposal_id: talk.proposalId() } } });
    expect(talk.status).toBe('EXECUTING');
  });

  it('takes a second tap on the button of a running proposal for what it is', () => {
    const talk = shown(order);
    const button = { turn: { inputs: { confirmation: 'yes', proposal_id: talk.proposalId() } } } as const;
    talk.says(button);
    expect(kinds(talk.says(button))).toEqual(['working']);
    expect(talk.executions()).toHaveLength(1);
  });

  it('runs on the button of the current proposal', () => {
    const talk = shown(order);
    talk.says({ turn: { inputs: { confirmation: 'yes', proposal_id: talk.proposalId() } } });
    expect(talk.status).toBe('EXECUTING');
  });

  it('never runs on the yes of another user', () => {
    const talk = shown(order);
    expect(kinds(talk.says({ ...yes, turn: { userId: 'bia' } }))[0]).toBe('not_yours_to_confirm');
    expect(talk.lastEvents).toContainEqual(expect.objectContaining({ type: 'AnswerRefused', reason: 'other_user' }));
    expect(talk.status).toBe('AWAITING_CONFIRMATION');
  });

  it('never runs on a yes after the expiry, says so, and has not needed the sweeper for it', () => {
    const talk = shown(order);
    talk.passes(600);
    expect(kinds(talk.says(yes))).toEqual(['expired']);
    expect(talk.state.last).toMatchObject({ status: 'EXPIRED' });
    expect(kinds(talk.says(yes))).toEqual(['expired']);
    expect(talk.executions()).toHaveLength(0);
  });

  it('tells after the deadline, once, that the proposal expired', () => {
    const talk = shown(order);
    talk.waits(600);
    expect(talk.facts()).toEqual(['TransactionEnded', 'NewsKept']);
    expect(kinds(talk.says(yes))).toEqual(['expired']);
    expect(kinds(talk.says(gibberish))).toEqual(['help']);
  });

  it('never runs on anything that is not a yes', () => {
    const talk = shown(order);
    expect(slot(talk.says(gibberish), 'ask_confirmation').why).toBe('unclear');
    talk.says({ confirmation: 'yes_with_change' });
    talk.says({ ...yes, abandons: true });
    expect(talk.status).toBe('AWAITING_CONFIRMATION');
    expect(talk.executions()).toHaveLength(0);
  });

  it('reads no text beside a button', () => {
    const talk = shown(order);
    talk.says({ ...yes, turn: { inputs: { confirmation: 'no' } } });
    expect(talk.state.last).toMatchObject({ status: 'CANCELLED', reason: 'declined' });
  });

  it('cancels on a plain no', () => {
    const talk = shown(order);
    expect(kinds(talk.says(no))).toEqual(['cancelled']);
    expect(talk.facts()).toEqual(['UserDeclined', 'TransactionEnded']);
  });

  it('asks again at most so many times in a row, then offers a person and keeps the proposal', () => {
    const talk = shown(order);
    const said = [1, 2, 3, 4].map(() => kinds(talk.says(gibberish))[0]);
    expect(said).toEqual(['ask_confirmation', 'ask_confirmation', 'ask_confirmation', 'handoff']);
    talk.says(yes);
    expect(talk.status).toBe('EXECUTING');
  });

  it('shows the proposal again instead of running it when the configuration has changed', () => {
    const talk = shown(order);
    talk.agent = agentWith({ name: 'Outro nome' });
    expect(slot(talk.says(yes), 'ask_confirmation').why).toBe('renewed');
    talk.says(yes);
    expect(talk.executions()).toMatchObject([{ call: { rev: 2 } }]);
  });

  it('parks the proposal for a new intent, and asks for a new yes when it is taken up again', () => {
    const talk = shown(order);
    const first = talk.proposalId();
    talk.says(wants('consultar_fatura'));
    const slots = talk.answers({ outcome: 'SUCCESS' });
    expect(kinds(slots)).toEqual(['parked', 'outcome', 'offer_resume']);
    const resumed = talk.says(yes);
    expect(kinds(resumed)).toEqual(['resumed', 'ask_confirmation']);
    expect(slot(resumed, 'ask_confirmation').why).toBe('renewed');
    expect(talk.proposalId()).not.toBe(first);
  });
});

describe('amending at the confirmation', () => {
  it('leaves an excluded item out and asks for one new confirmation', () => {
    const talk = shown(products);
    const slots = talk.says({ confirmation: 'yes_with_change', change: { kind: 'exclude', itemIds: ['B'] } });
    expect(slot(slots, 'ask_confirmation')).toMatchObject({ items: [{ label: 'A' }, { label: 'C' }], why: 'amended' });
    talk.says(yes);
    expect(talk.executions()).toMatchObject([{ call: { rev: 2, arguments: { items: ['A', 'C'] } } }]);
  });

  it('keeps only the named items', () => {
    const talk = shown(products);
    talk.says({ confirmation: 'yes_with_change', change: { kind: 'only', itemIds: ['A', 'B'] } });
    talk.says(yes);
    expect(talk.executions()).toMatchObject([{ call: { arguments: { items: ['A', 'B'] } } }]);
  });

  it('replaces an item, and records the correction', () => {
    const talk = shown(products);
    talk.says({ confirmation: 'no_with_change', change: { kind: 'replace', itemId: 'B', by: 'D' } });
    expect(talk.state.transaction).toMatchObject({
      arguments: { items: ['A', 'D', 'C'] },
      corrections: [{ parameter: 'items', from: ['A', 'B', 'C'], to: ['A', 'D', 'C'] }],
    });
  });

  it('corrects a value', () => {
    const talk = shown(order);
    const change = { kind: 'values', values: { order_id: 'PED-2002' } } as const;
    expect(slot(talk.says({ confirmation: 'no_with_change', change }), 'ask_confirmation').values).toMatchObject([
      { value: 'PED-2002' },
    ]);
  });

  it('validates the changed set again before it is shown', () => {
    const talk = shown(wants('cancelar_vas_avulso', { subject: 'A e B' }));
    const items = [{ name: 'A Mensal' }, { name: 'B Premium' }];
    const answer = {
      eligible: true,
      transaction_decision: { resolved_arguments: { subject: 'A Mensal, B Premium', items } },
    };
    talk.answers({ data: answer });
    talk.says({ confirmation: 'yes_with_change', change: { kind: 'exclude', itemIds: ['B Premium'] } });
    expect(talk.status).toBe('PRE_VALIDATION');
    expect(talk.lastReaction?.invocations).toMatchObject([{ arguments: { subject: 'A Mensal' } }]);
  });

  it.each([
    ['leaves nothing', { kind: 'exclude', itemIds: ['A', 'B', 'C'] }],
    ['names nothing that was shown', { kind: 'exclude', itemIds: ['Z'] }],
    ['keeps nothing that was shown', { kind: 'only', itemIds: ['Z'] }],
  ] as const)('puts the question again when the change %s', (_, change) => {
    const talk = shown(products);
    const before = talk.proposalId();
    expect(slot(talk.says({ confirmation: 'yes_with_change', change }), 'ask_confirmation').why).toBe('unclear');
    expect(talk.proposalId()).toBe(before);
  });
});

describe('the deadline of a proposal', () => {
  it('is evidence only when it comes too early, too late or for something else', () => {
    const talk = shown(order);
    const open = talk.state.transaction;
    const early = {
      type: 'DeadlinePassed',
      transactionId: open?.id ?? talk.strayDeadline().transactionId,
      rev: 1,
      at: instant(5),
    } as const;
    given(talk.events)
      .when(early)
      .then([{ type: 'InputIgnored', reason: 'deadline_not_due' }]);
    given(talk.events)
      .when({ ...early, rev: 7, at: instant(900) })
      .then([{ type: 'InputIgnored', reason: 'deadline_not_due' }]);
    given(talk.events)
      .when(talk.strayDeadline())
      .then([{ type: 'InputIgnored', reason: 'deadline_not_due' }]);
  });

  it('counts for nothing once the user gave it up', () => {
    const talk = shown(order);
    const { deadline } = talk.lastReaction ?? {};
    talk.says(abandon);
    expect(talk.lastReaction?.deadline).toBeNull();
    if (!deadline) throw new Error('a proposal has a deadline');
    talk.hear({ type: 'DeadlinePassed', ...deadline, at: instant(900) });
    expect(talk.facts()).toEqual(['InputIgnored']);
  });
});

describe('a list beside the items', () => {
  const exchange = tool('trocar_itens', [
    parameter('item_ids', { type: 'array' }),
    parameter('new_item_ids', { type: 'array' }),
  ]);
  const shop = agentWith({
    tools: { trocar_itens: exchange },
    intents: [
      { intent: 'trocar_itens', route: 'retail', tool: 'trocar_itens', keywords: [], examples: [], reply: null },
    ],
  });
  const swap = wants('trocar_itens', { item_ids: ['1', '2'], new_item_ids: ['7', '8'] });

  it('is shown as a value, because it is sent as well', () => {
    const talk = new Conversation(shop);
    expect(slot(talk.says(swap), 'ask_confirmation')).toMatchObject({
      items: [{ label: '1' }, { label: '2' }],
      values: [{ label: 'new_item_ids', value: ['7', '8'] }],
    });
  });

  it('is never cut by a guess when an item is excluded', () => {
    const talk = new Conversation(shop);
    talk.says(swap);
    const slots = talk.says({ confirmation: 'yes_with_change', change: { kind: 'exclude', itemIds: ['1'] } });
    expect(slot(slots, 'ask_confirmation').why).toBe('unclear');
  });
});

describe('more than what was shown', () => {
  const items = wants('cancelar_produtos', { items: ['A', 'B'] });

  it('is added to the list, shown again as a new revision, and run only by its own yes', () => {
    const talk = shown(items);
    const asked = slot(talk.says(more('C')), 'ask_confirmation');
    expect(asked).toMatchObject({ items: [{ label: 'A' }, { label: 'B' }, { label: 'C' }], why: 'amended' });
    expect(talk.executions()).toHaveLength(0);
    talk.says(yes);
    expect(talk.executions()[0]?.call).toMatchObject({ rev: 2, arguments: { items: ['A', 'B', 'C'] } });
  });

  it('is added to a text that names the items, and validated with them', () => {
    const talk = shown(wants('cancelar_vas_avulso', { subject: 'TIM Fashion' }));
    talk.answers({
      data: { eligible: true, transaction_decision: { resolved_arguments: { items: [{ name: 'TIM Fashion' }] } } },
    });
    talk.says(more('Neymar Jr'));
    expect(talk.lastReaction?.invocations).toMatchObject([
      { purpose: 'pre_validation', arguments: { subject: 'TIM Fashion, Neymar Jr' } },
    ]);
  });

  it('has the form of what is there', () => {
    const talk = shown(wants('cancelar_produtos', { items: [{ id: '1', name: 'A' }] }));
    talk.says(more('C'));
    expect(talk.state.transaction?.arguments).toEqual({
      items: [
        { id: '1', name: 'A' },
        { id: 'C', name: 'C' },
      ],
    });
  });

  it.each([
    ['what is shown already', items, 'a'],
    ['more than an identifier can name', order, 'PED-2002'],
    ['an entry of another form', wants('cancelar_produtos', { items: [1001, 1002] }), 'TIM Fashion'],
  ])('is asked again where it is %s', (_, wish, label) => {
    const talk = shown(wish);
    const before = talk.proposalId();
    expect(slot(talk.says(more(label)), 'ask_confirmation').why).toBe('unclear');
    expect(talk.proposalId()).toBe(before);
  });
});

describe('more than a text without items', () => {
  const open = (): Conversation => {
    const talk = shown(wants('cancelar_aberto', { subject: 'TIM Fashion' }));
    talk.answers(failureOf('transient'));
    return talk;
  };

  it('is added to it, and nothing is when the text says it already', () => {
    const talk = open();
    expect(slot(talk.says(more('tim fashion')), 'ask_confirmation').why).toBe('unclear');
    talk.says(more('Neymar Jr'));
    expect(talk.state.transaction?.arguments).toEqual({ subject: 'TIM Fashion, Neymar Jr' });
  });
});

function more(...labels: readonly string[]): Spoken {
  return { text: 'inclui também', confirmation: 'yes_with_change', change: { kind: 'include', labels } };
}
