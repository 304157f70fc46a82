import { describe, expect, it } from '@jest/globals';
import { Conversation, failureOf, slot, wants, yes } from './fixtures/conversation.ts';

function running(): Conversation {
  const talk = new Conversation();
  talk.says(wants('cancelar_produtos', { items: ['A', 'B', 'C'] }));
  talk.says(yes);
  return talk;
}

const item = (id: string, outcome: 'succeeded' | 'failed' | 'unknown') => ({ id, label: id, outcome });

describe('no outcome is invented (I11)', () => {
  it('tells every item once, with the outcome that the tool gave', () => {
    const items = [item('A', 'succeeded'), item('B', 'failed'), item('C', 'failed')];
    const talk = running();
    const told = slot(talk.answers({ outcome: 'PARTIAL_SUCCESS', items }), 'outcome');
    expect(told.items).toEqual(items);
    expect(talk.state.last?.items).toEqual(items);
  });

  it('ends nothing while an item is unknown of which somebody can be asked', () => {
    const items = [item('A', 'succeeded'), item('B', 'failed'), item('C', 'unknown')];
    const talk = running();
    expect(slot(talk.answers({ outcome: 'PARTIAL_SUCCESS', items }), 'outcome').items).toEqual(items);
    expect(talk.status).toBe('OUTCOME_UNKNOWN');
    expect(talk.state.last).toBeNull();
  });

  it('keeps the items that ended when a later step failed', () => {
    const { error } = failureOf('transient');
    const talk = running();
    const items = [item('A', 'succeeded'), item('B', 'succeeded'), item('C', 'succeeded')];
    const told = slot(talk.answers({ outcome: 'SUCCESS', items, secondary_error: error }), 'outcome');
    expect(told).toMatchObject({ outcome: 'SUCCESS', secondaryError: { errorCategory: 'transient' } });
    expect(talk.state.last).toMatchObject({ status: 'COMPLETED' });
  });

  it('does not reopen a parameter when some items are done already', () => {
    const talk = running();
    const items = [item('A', 'unknown'), item('B', 'failed')];
    talk.answers({ ...failureOf('validation', { parameter: 'items' }), items });
    expect(talk.facts()).not.toContain('ParameterReopened');
    expect(talk.status).toBe('OUTCOME_UNKNOWN');
  });

  it('claims neither success nor failure of a call that nobody answered', () => {
    const talk = running();
    talk.waits(100);
    expect(talk.status).toBe('OUTCOME_UNKNOWN');
    expect(talk.state.last).toBeNull();
  });

  it('reads a result without a verdict by its own ok', () => {
    const talk = running();
    expect(slot(talk.answers({ ok: false }), 'outcome').outcome).toBe('FAILED');
  });
});
