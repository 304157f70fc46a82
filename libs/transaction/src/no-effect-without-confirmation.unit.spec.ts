import { describe, expect, it } from '@jest/globals';
import { abandon, Conversation, gibberish, no, type Spoken, wants, yes } from './fixtures/conversation.ts';
import { messageClasses } from './message-class.ts';
import { precedence, type RankedState } from './precedence.ts';

const cancel = wants('retail_order_cancel', { order_id: 'PED-1001' });

describe('no effect without a confirmation (I4)', () => {
  it('leaves one line of the precedence table that runs a proposal, and it is the yes to one', () => {
    const lines = Object.entries(precedence).flatMap(([state, rows]) =>
      rows.filter(({ action }) => action === 'execute_proposal').map(({ message }) => [state, message]),
    );
    expect(lines).toEqual([['AWAITING_CONFIRMATION', 'confirms']]);
  });

  it.each<[string, Spoken]>([
    ['nothing', gibberish],
    ['a no', no],
    ['a yes with a change', { confirmation: 'yes_with_change' }],
    ['a no with a change', { confirmation: 'no_with_change' }],
    ['giving up', abandon],
    ['a yes that gives up', { ...yes, ...abandon }],
    ['a yes that brings another value', { ...yes, values: { order_id: 'PED-2002' } }],
    ['a yes that brings a broken value', { ...yes, invalid: { order_id: 'must match' } }],
    ['a yes to something else', { ...yes, ...wants('consultar_fatura') }],
    ['the yes of another person', { ...yes, turn: { userId: 'bia' } }],
    ['a yes beside the button "no"', { ...yes, turn: { inputs: { confirmation: 'no' } } }],
    ['a button of another proposal', { turn: { inputs: { confirmation: 'yes', proposal_id: 'x' } } }],
  ])('runs nothing on %s', (_, spoken) => {
    const talk = new Conversation();
    talk.says(cancel);
    talk.says(spoken);
    expect(talk.executions().filter(({ call }) => call.tool === 'retail_order_cancel')).toEqual([]);
  });

  it('runs nothing before anything was shown, in any state and for any message', () => {
    const states: readonly RankedState[] = [
      'IDLE',
      'COLLECTING_PARAMETERS',
      'PRE_VALIDATION',
      'EXECUTING',
      'OUTCOME_UNKNOWN',
    ];
    const actions = states.flatMap((state) =>
      messageClasses.map((name) => precedence[state].find((row) => row.message === name)),
    );
    expect(actions.map((row) => row?.action)).not.toContain('execute_proposal');
  });

  it('binds the yes to the revision that was shown last', () => {
    const talk = new Conversation();
    talk.says(cancel);
    const first = talk.proposalId();
    talk.says({ confirmation: 'no_with_change', values: { order_id: 'PED-2002' } });
    const second = talk.proposalId();
    talk.says({ turn: { inputs: { confirmation: 'yes', proposal_id: first } } });
    expect(talk.executions()).toEqual([]);
    talk.says({ turn: { inputs: { confirmation: 'yes', proposal_id: second } } });
    expect(talk.executions()).toMatchObject([{ confirmation: { proposalId: second, rev: 2 } }]);
  });
});
