import { describe, expect, it } from '@jest/globals';
import { TurnExplanation } from '@latch/contracts';
import { abandon, Conversation, gibberish, no, type Spoken, wants, yes } from './fixtures/conversation.ts';
import { explainTurn } from './explain.ts';
import { type MessageClass, messageClasses } from './message-class.ts';
import { findTurn, isTransactionEvent, type RecordedFact } from './recorded-turn.ts';

const cancelOrder = wants('retail_order_cancel', { order_id: 'PED-1001' });

function recorded(talk: Conversation): readonly RecordedFact[] {
  const stored: unknown[] = JSON.parse(JSON.stringify(talk.events));
  return stored.flatMap((event, index) => (isTransactionEvent(event) ? [{ sequence: index + 1, event }] : []));
}

/** The explanation of a turn, from the facts as they are stored; the last turn unless said otherwise. */
function explain(talk: Conversation, messageId = talk.state.lastTurn?.messageId ?? ''): TurnExplanation {
  const facts = recorded(talk);
  const received = findTurn(facts, messageId);
  if (received === undefined) throw new Error(`no turn has the message ${messageId}`);
  const explanation = explainTurn({ identity: talk.state, facts, received, agent: talk.agent });
  return TurnExplanation.parse(explanation);
}

function after(...said: readonly Spoken[]): Conversation {
  const talk = new Conversation();
  said.forEach((spoken) => talk.says(spoken));
  return talk;
}

function verdicts(explanation: TurnExplanation, verdict: string): readonly string[] {
  return explanation.decision.classes.filter((one) => one.verdict === verdict).map((one) => one.message_class);
}

function classIn(
  explanation: TurnExplanation,
  name: MessageClass,
): TurnExplanation['decision']['classes'][number] | undefined {
  return explanation.decision.classes.find((one) => one.message_class === name);
}

const unknownOutcome = { ok: false, outcome: 'UNKNOWN' } as const;

/** One turn that each class wins, with the words that say why. */
const won: Readonly<
  Record<MessageClass, { readonly given: () => Conversation; readonly when: Spoken; readonly because: string | null }>
> = {
  stale_answer: {
    given: () => after(cancelOrder),
    when: { turn: { inputs: { confirmation: 'yes', proposal_id: 'another' } } },
    because: 'it answers proposal another; shown is ',
  },
  fills_parameter: {
    given: () => after(wants('retail_order_cancel')),
    when: { values: { order_id: 'PED-1001' } },
    because: 'order_id = "PED-1001"',
  },
  amends: {
    given: () => after(cancelOrder),
    when: { confirmation: 'no_with_change', values: { order_id: 'PED-2002' } },
    because: 'order_id = "PED-2002"',
  },
  abandons: { given: () => after(cancelOrder), when: abandon, because: null },
  new_intent: {
    given: () => after(wants('retail_order_cancel')),
    when: wants('retail_order_tracking'),
    because: 'intent retail_order_tracking, tool retail_order_tracking',
  },
  side_question: { given: () => after(cancelOrder), when: wants('horario'), because: 'intent horario' },
  resumes: {
    given: () => after(wants('retail_order_cancel'), wants('retail_order_tracking')),
    when: { resumes: true },
    because: 'parked: retail_order_cancel',
  },
  declines_resume: {
    given: () => after(wants('retail_order_cancel'), wants('retail_order_tracking'), abandon),
    when: no,
    because: 'offered: retail_order_cancel',
  },
  retries_failed: { given: () => after(), when: { retriesFailed: true }, because: null },
  confirms: { given: () => after(cancelOrder), when: yes, because: null },
  declines: { given: () => after(cancelOrder), when: no, because: null },
  invalid_value: {
    given: () => after(wants('retail_order_cancel')),
    when: { invalid: { order_id: 'must match ^PED-' } },
    because: 'order_id: must match ^PED-',
  },
  same_intent: {
    given: () => after(wants('retail_order_cancel')),
    when: wants('retail_order_cancel'),
    because: 'intent retail_order_cancel, tool retail_order_cancel',
  },
  domain_word: { given: () => after(wants('retail_order_cancel')), when: { hasDomainWord: true }, because: null },
  unclear: { given: () => after(cancelOrder), when: gibberish, because: null },
};

describe('the explanation of a turn', () => {
  it.each(messageClasses)('that %s wins says so, in which line, and what made it one', (name) => {
    const { given, when, because } = won[name];
    const talk = given();
    talk.says(when);
    const explanation = explain(talk);
    expect(explanation.decision).toMatchObject({ rule: name, is_reproduced: true });
    expect(verdicts(explanation, 'won')).toEqual([name]);
    const winner = classIn(explanation, name);
    expect(winner).toMatchObject({ holds: true, action: explanation.decision.action });
    expect(winner?.why).toMatch(/^It is the first line of the table for [A-Z_]+ that applies: line \d+ of \d+\.$/);
    if (because === null) expect(winner?.because).toBeNull();
    else expect(winner?.because).toContain(because);
  });

  it('lists every class once, those with a line first and in the order of the table', () => {
    const { classes } = explain(after(cancelOrder)).decision;
    expect(classes.map((one) => one.message_class).toSorted()).toEqual(messageClasses.toSorted());
    const lines = classes.flatMap(({ line }) => (line === null ? [] : [line]));
    expect(lines).toEqual(lines.map((_, index) => index + 1));
    expect(classes.slice(lines.length).every(({ line }) => line === null)).toBe(true);
  });

  it('says of what lost which line came before it', () => {
    const talk = after(wants('retail_order_cancel'));
    talk.says({ ...abandon, ...wants('consultar_fatura'), hasDomainWord: true });
    const explanation = explain(talk);
    expect(explanation.decision).toMatchObject({ rule: 'abandons', action: 'cancel_and_route' });
    expect(verdicts(explanation, 'lost')).toEqual(['new_intent', 'domain_word', 'unclear']);
    expect(classIn(explanation, 'new_intent')?.why).toBe('Line 3 comes after line 2, abandons, which applies.');
  });

  it('says of what this state does nothing about that the table has no line for it', () => {
    const talk = after(cancelOrder, yes);
    talk.says(wants('retail_order_tracking'));
    const explanation = explain(talk);
    expect(explanation.decision).toMatchObject({ status: 'EXECUTING', rule: 'unclear', action: 'say_working' });
    expect(verdicts(explanation, 'no_line')).toEqual(['new_intent']);
    expect(classIn(explanation, 'new_intent')?.why).toContain('no line');
  });

  it('says what was waited for, and the state before and after', () => {
    const talk = after(wants('retail_order_cancel'));
    talk.says({ text: 'o pedido é o PED-1001', values: { order_id: 'PED-1001' }, hasDomainWord: true });
    const explanation = explain(talk);
    expect(explanation.said).toMatchObject({ text: 'o pedido é o PED-1001', channel: 'web', user_id: 'ana' });
    expect(explanation.waiting_for).toEqual({
      kind: 'parameters',
      tool: 'retail_order_cancel',
      missing_parameters: ['order_id'],
      items: [],
    });
    expect(explanation.state.before).toMatchObject({
      status: 'COLLECTING_PARAMETERS',
      arguments: {},
      missing_parameters: ['order_id'],
    });
    expect(explanation.state.decided).toMatchObject({
      status: 'AWAITING_CONFIRMATION',
      tool: 'retail_order_cancel',
      arguments: { order_id: 'PED-1001' },
      missing_parameters: [],
      proposal_id: talk.proposalId(),
    });
    expect(explanation.state.answered).toEqual(explanation.state.decided);
  });

  it('shows the reading as it was recorded, with span and runner-up', () => {
    const reading = { rule: 'yes-no.yes', span: [0, 3], text: 'sim', runnerUp: 'yes-no.doubt' } as const;
    const talk = after(cancelOrder, { ...yes, readings: [reading] });
    expect(explain(talk).reading).toMatchObject({
      source: 'text',
      confirmation: 'yes',
      rules: [{ rule: 'yes-no.yes', span: [0, 3], text: 'sim', runner_up: 'yes-no.doubt' }],
    });
  });

  it('says that the text did not count where a form was sent', () => {
    const talk = after(cancelOrder);
    talk.says({ ...no, turn: { inputs: { confirmation: 'yes', proposal_id: talk.proposalId() } } });
    const explanation = explain(talk);
    expect(explanation.reading).toMatchObject({ source: 'inputs', confirmation: 'no' });
    expect(explanation.decision.rule).toBe('confirms');
    expect(classIn(explanation, 'declines')?.holds).toBe(false);
  });

  describe('that led to a call', () => {
    it('has no answer and no result as long as the tool has not answered', () => {
      const explanation = explain(after(cancelOrder, yes));
      expect(explanation.calls).toMatchObject([{ purpose: 'execution', received_at: null, result: null }]);
      expect(explanation.reply).toEqual({ answered_at: null, slots: [] });
      expect(explanation.state.answered).toBeNull();
    });

    it('shows what was sent, what came back, and the state when the turn was answered', () => {
      const talk = after(cancelOrder, yes);
      talk.answers({ tool_name: 'retail_order_cancel', outcome: 'SUCCESS' });
      talk.says(gibberish);
      const explanation = explain(talk, 'm-2');
      expect(explanation.calls).toMatchObject([
        {
          tool: 'retail_order_cancel',
          arguments: { order_id: 'PED-1001' },
          idempotency_key: talk.executions()[0]?.call.idempotencyKey,
          result: { ok: true, outcome: 'SUCCESS' },
        },
      ]);
      expect(explanation.state.decided.status).toBe('EXECUTING');
      expect(explanation.state.answered).toMatchObject({ status: 'COMPLETED', tool: 'retail_order_cancel' });
      expect(explanation.reply.slots).toMatchObject([{ kind: 'outcome' }]);
      expect(explanation.events.map(({ event_type }) => event_type)).toEqual([
        ...['IC.USER_CONFIRMED', 'IC.EXECUTION_STARTED', 'IC.TOOL_RESULT_RECEIVED'],
        ...['IC.TRANSACTION_ENDED', 'IC.TURN_ANSWERED'],
      ]);
      expect(explanation.events.map(({ sequence }) => sequence)).toEqual([7, 8, 9, 10, 11]);
    });

    it('follows the question about an unknown outcome, and leaves other turns out', () => {
      const talk = after(wants('cancelar_produtos', { items: ['a'] }), yes);
      talk.answers(unknownOutcome);
      talk.says(gibberish);
      talk.waits(3600);
      talk.answers({ data: { status: 'CANCELADO' } });
      const explanation = explain(talk, 'm-2');
      expect(explanation.calls.map(({ purpose }) => purpose)).toEqual(['execution', 'reconcile']);
      expect(explanation.events.some(({ event_type }) => event_type === 'IC.RECONCILIATION_STARTED')).toBe(true);
      expect(explanation.events.some(({ event_type }) => event_type === 'IC.CLARIFICATION_ASKED')).toBe(false);
      expect(explain(talk, 'm-3').calls).toEqual([]);
    });

    it('is answered by the turn that gave the transaction up', () => {
      const talk = after(wants('cancelar_vas_avulso', { subject: 'A' }), abandon);
      const explanation = explain(talk, 'm-1');
      expect(explanation.calls).toMatchObject([{ purpose: 'pre_validation', result: null }]);
      expect(explanation.reply.slots).toMatchObject([{ kind: 'cancelled' }]);
      expect(explanation.state.answered?.status).toBe('CANCELLED');
    });
  });

  it('reads an expired proposal as it was decided: settled first', () => {
    const talk = after(cancelOrder);
    talk.passes(100_000);
    talk.says(yes);
    const explanation = explain(talk);
    expect(explanation.state.before.status).toBe('AWAITING_CONFIRMATION');
    expect(explanation.decision).toMatchObject({ status: 'IDLE', rule: 'confirms', is_reproduced: true });
  });

  it('knows a state that could not be read from what was recorded about it', () => {
    const talk = new Conversation();
    talk.state = { ...talk.state, inconsistency: 'a status without its transaction' };
    talk.says(yes);
    expect(explain(talk).decision).toMatchObject({ status: 'INCONSISTENT', rule: 'unclear', is_reproduced: true });
    talk.says(abandon);
    expect(explain(talk, 'm-1').decision.rule).toBe('unclear');
    expect(explain(talk).decision).toMatchObject({ rule: 'abandons', action: 'clear_inconsistency' });
  });

  it('says when the table has changed since the turn', () => {
    const talk = after(cancelOrder);
    const facts = recorded(talk).map((fact) =>
      fact.event.type === 'TurnReceived' ? { ...fact, event: { ...fact.event, rule: 'domain_word' as const } } : fact,
    );
    const received = findTurn(facts, 'm-1');
    if (received === undefined) throw new Error('the turn is not there');
    const explanation = explainTurn({ identity: talk.state, facts, received, agent: talk.agent });
    expect(explanation?.decision).toMatchObject({ rule: 'domain_word', action: null, is_reproduced: false });
  });

  it('is that of the last turn where a message id was used again in another channel', () => {
    const talk = after({ ...cancelOrder, turn: { messageId: 'same' } }, { ...no, turn: { messageId: 'same' } });
    expect(explain(talk, 'same').decision.rule).toBe('declines');
    expect(findTurn(recorded(talk), 'other')).toBeUndefined();
  });

  it('is not given from facts that do not hold the turn', () => {
    const talk = after(cancelOrder);
    const received = findTurn(recorded(talk), 'm-1');
    if (received === undefined) throw new Error('the turn is not there');
    expect(explainTurn({ identity: talk.state, facts: [], received, agent: talk.agent })).toBeNull();
  });
});
