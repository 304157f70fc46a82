import { describe, expect, it } from '@jest/globals';
import { evolve } from './evolve.ts';
import { abandon, Conversation, failureOf, no, type Spoken, wants, yes } from './fixtures/conversation.ts';
import { type TerminalStatus, terminalStatuses } from './state.ts';

const cancel = wants('retail_order_cancel', { order_id: 'PED-1001' });

/** One conversation per terminal status, at its end. */
const ends: Readonly<Record<TerminalStatus, () => Conversation>> = {
  COMPLETED: () => ended([cancel, yes], (talk) => talk.answers({ outcome: 'SUCCESS' })),
  FAILED: () => ended([cancel, yes], (talk) => talk.answers(failureOf('transient'))),
  CANCELLED: () => ended([cancel, no]),
  EXPIRED: () => ended([cancel], (talk) => talk.waits(600)),
  OUT_OF_SCOPE: () =>
    ended([wants('cancelar_vas_avulso', { subject: 'A' })], (talk) => talk.answers({ data: { eligible: false } })),
};

function ended(said: readonly Spoken[], then: (talk: Conversation) => unknown = () => null): Conversation {
  const talk = new Conversation();
  said.forEach((spoken) => talk.says(spoken));
  then(talk);
  return talk;
}

describe('terminal is terminal (I10)', () => {
  describe.each(terminalStatuses)('after %s', (status) => {
    it('is the last transaction and no longer the active one', () => {
      expect(ends[status]().state).toMatchObject({ transaction: null, last: { status } });
    });

    it.each([
      ['a yes', yes],
      ['a value', { values: { order_id: 'PED-2002' } }],
      ['giving up', abandon],
      ['"continua"', { resumes: true }],
    ])('%s does not revive it', (_, spoken) => {
      const talk = ends[status]();
      const id = talk.state.last?.id;
      const runs = talk.executions().length;
      talk.says(spoken);
      expect(talk.state.transaction).toBeNull();
      expect(talk.executions()).toHaveLength(runs);
      expect(talk.state.last?.id).toBe(id);
    });

    it('applies none of its own events a second time', () => {
      const { state, events } = ends[status]();
      const about = events.filter((event) => 'transactionId' in event && event.type !== 'TransactionStarted');
      const again = about.reduce(evolve, state);
      expect(again.transaction).toBeNull();
      expect(again.last).toEqual(state.last);
    });
  });

  it('starts the same intention again as another transaction', () => {
    const talk = ends.COMPLETED();
    const id = talk.state.last?.id;
    talk.says(cancel);
    expect(talk.state.transaction?.id).not.toBe(id);
  });
});
