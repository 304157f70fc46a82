import { describe, expect, it } from '@jest/globals';
import { type MessageClass, messageClasses } from './message-class.ts';
import { precedence, rank, type RankedState, rankedStateOf } from './precedence.ts';
import { abandon, Conversation, gibberish, no, type Spoken, wants, yes } from './fixtures/conversation.ts';
import { turnActions } from './turn-actions.ts';

const states: readonly RankedState[] = [
  'IDLE',
  'COLLECTING_PARAMETERS',
  'PRE_VALIDATION',
  'AWAITING_CONFIRMATION',
  'EXECUTING',
  'OUTCOME_UNKNOWN',
  'INCONSISTENT',
];

/** A conversation in each state, built by talking. Another transaction is parked, so that every class can be said. */
const inState: Readonly<Record<RankedState, () => Conversation>> = {
  IDLE: () => new Conversation(),
  COLLECTING_PARAMETERS: () => after(wants('retail_order_cancel')),
  PRE_VALIDATION: () => after(wants('cancelar_vas_avulso', { subject: 'A' })),
  AWAITING_CONFIRMATION: () => after(wants('retail_order_cancel', { order_id: 'PED-1001' })),
  EXECUTING: () => after(wants('retail_order_cancel', { order_id: 'PED-1001' }), yes),
  OUTCOME_UNKNOWN: () => {
    const talk = after(wants('retail_order_cancel', { order_id: 'PED-1001' }), yes);
    talk.answers({ ok: false, outcome: 'UNKNOWN' });
    return talk;
  },
  INCONSISTENT: () => {
    const talk = new Conversation();
    talk.state = { ...talk.state, inconsistency: 'a status without its transaction' };
    return talk;
  },
};

/** One message of each class. */
const message: Readonly<Record<MessageClass, (talk: Conversation) => Spoken>> = {
  stale_answer: () => ({ turn: { inputs: { confirmation: 'yes', proposal_id: 'another' } } }),
  fills_parameter: () => ({ values: { order_id: 'PED-2002', subject: 'B' } }),
  amends: () => ({ confirmation: 'no_with_change', values: { order_id: 'PED-2002', subject: 'B' } }),
  abandons: () => abandon,
  new_intent: () => wants('retail_order_tracking'),
  side_question: () => wants('horario'),
  resumes: () => ({ resumes: true }),
  declines_resume: () => no,
  retries_failed: () => ({ retriesFailed: true }),
  confirms: () => yes,
  declines: () => no,
  invalid_value: () => ({ invalid: { order_id: 'must match ^PED-' } }),
  same_intent: (talk) => wants(talk.state.transaction?.tool ?? 'retail_order_cancel'),
  domain_word: () => ({ hasDomainWord: true }),
  unclear: () => gibberish,
};

function after(...said: readonly Spoken[]): Conversation {
  const talk = new Conversation();
  said.forEach((spoken) => talk.says(spoken));
  return talk;
}

describe('the precedence table', () => {
  it('has, while parameters are pending, exactly the order of the specification', () => {
    const normative = ['fills_parameter', 'abandons', 'new_intent', 'domain_word', 'unclear'];
    const rows = precedence.COLLECTING_PARAMETERS.map((row) => row.message);
    expect(rows.filter((name) => normative.includes(name))).toEqual(normative);
  });

  it.each(states)('ends in %s with what is done about any message', (state) => {
    expect(precedence[state].at(-1)?.message).toBe('unclear');
    expect(new Set(precedence[state].map((row) => row.message)).size).toBe(precedence[state].length);
  });

  it('names no action that nothing implements, and no implementation that it never names', () => {
    const named = new Set(states.flatMap((state) => precedence[state].map((row) => row.action)));
    expect([...named].sort()).toEqual(Object.keys(turnActions).sort());
  });

  describe.each(states)('in %s', (state) => {
    it.each(messageClasses)('gives a message of two classes to the earlier line: %s', (first) => {
      const rows = precedence[state].map((row) => row.message);
      for (const second of messageClasses) {
        const ranked = rank(state, new Set([first, second, 'unclear'])).message;
        const listed = [first, second].filter((name) => rows.includes(name)).map((name) => rows.indexOf(name));
        expect(ranked).toBe(rows[Math.min(...listed, rows.length - 1)]);
      }
    });

    it.each(messageClasses)('answers %s exactly once, and runs nothing but what a confirmed proposal holds', (name) => {
      const talk = inState[state]();
      expect(rankedStateOf(talk.state)).toBe(state);
      const runs = talk.executions().length;
      talk.says(message[name](talk));
      const rule = talk.lastEvents.find((event) => event.type === 'TurnReceived')?.rule;
      expect(precedence[state].map((row) => row.message)).toContain(rule);
      const waits = talk.lastEvents.some(
        (event) => 'call' in event && event.call.turn?.turnId === talk.state.lastTurn?.turnId,
      );
      const answers = talk.lastReaction?.replies.filter(({ turnId }) => turnId === talk.state.lastTurn?.turnId) ?? [];
      expect(answers).toHaveLength(waits ? 0 : 1);
      const mayRun = state === 'AWAITING_CONFIRMATION' && name === 'confirms' ? 1 : 0;
      expect(talk.executions().length - runs).toBe(mayRun);
    });
  });

  it.each([
    ['COLLECTING_PARAMETERS', 'fills_parameter', 'AWAITING_CONFIRMATION'],
    ['COLLECTING_PARAMETERS', 'abandons', 'IDLE'],
    ['COLLECTING_PARAMETERS', 'confirms', 'COLLECTING_PARAMETERS'],
    ['COLLECTING_PARAMETERS', 'declines', 'COLLECTING_PARAMETERS'],
    ['COLLECTING_PARAMETERS', 'invalid_value', 'COLLECTING_PARAMETERS'],
    ['COLLECTING_PARAMETERS', 'same_intent', 'COLLECTING_PARAMETERS'],
    ['AWAITING_CONFIRMATION', 'confirms', 'EXECUTING'],
    ['AWAITING_CONFIRMATION', 'declines', 'IDLE'],
    ['AWAITING_CONFIRMATION', 'amends', 'AWAITING_CONFIRMATION'],
    ['AWAITING_CONFIRMATION', 'abandons', 'IDLE'],
    ['AWAITING_CONFIRMATION', 'stale_answer', 'AWAITING_CONFIRMATION'],
    ['AWAITING_CONFIRMATION', 'unclear', 'AWAITING_CONFIRMATION'],
    ['PRE_VALIDATION', 'abandons', 'IDLE'],
    ['PRE_VALIDATION', 'new_intent', 'PRE_VALIDATION'],
    ['EXECUTING', 'abandons', 'EXECUTING'],
    ['EXECUTING', 'confirms', 'EXECUTING'],
    ['OUTCOME_UNKNOWN', 'retries_failed', 'OUTCOME_UNKNOWN'],
    ['OUTCOME_UNKNOWN', 'confirms', 'OUTCOME_UNKNOWN'],
    ['IDLE', 'confirms', 'IDLE'],
  ] as const)('leads from %s by %s to %s', (state, name, next) => {
    const talk = inState[state]();
    talk.says(message[name](talk));
    expect(talk.status).toBe(next);
  });
});
