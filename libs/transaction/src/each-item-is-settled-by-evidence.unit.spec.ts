import { describe, expect, it } from '@jest/globals';
import { type ResultItem, type ToolResult } from '@latch/contracts';
import fc from 'fast-check';
import { Conversation, failureOf, slot, wants, yes } from './fixtures/conversation.ts';
import { type ReplySlot } from './reply.ts';

type Outcome = ResultItem['outcome'];

const names = ['A', 'B', 'C'] as const;

/** A cancellation of three items that nobody answered, while its reconcile tool is being asked. */
function unknownCall(): Conversation {
  const talk = new Conversation();
  talk.says(wants('cancelar_produtos', { items: [...names] }));
  talk.says(yes);
  talk.waits(100);
  expect(talk.status).toBe('OUTCOME_UNKNOWN');
  return talk;
}

/** An answer about the items, as `libs/outcome` reads one: those that are not told of are unknown. */
function answerAbout(told: Readonly<Partial<Record<string, Outcome>>>): Partial<ToolResult> {
  const items = names.map((id) => ({ id, label: id, outcome: told[id] ?? 'unknown' }));
  const of = (outcome: Outcome): number => items.filter((item) => item.outcome === outcome).length;
  const mixed = of('failed') === items.length ? 'FAILED' : 'UNKNOWN';
  const outcome = of('succeeded') > 0 ? 'PARTIAL_SUCCESS' : mixed;
  return { outcome: of('succeeded') === items.length ? 'SUCCESS' : outcome, items };
}

const outcomesOf = (items: readonly ResultItem[] | undefined): readonly string[] =>
  (items ?? []).map(({ id, outcome }) => `${id} ${outcome}`);

/** What the last step kept to be told with the next answer. */
function news(talk: Conversation): readonly Extract<ReplySlot, { kind: 'outcome' }>[] {
  return talk.lastEvents.flatMap((event) =>
    event.type === 'NewsKept' && event.slot.kind === 'outcome' ? [event.slot] : [],
  );
}

describe('an answer of the reconcile tool about some items', () => {
  it('settles those, tells them, and leaves the others unknown, to be asked about again', () => {
    const talk = unknownCall();
    talk.answers(answerAbout({ A: 'succeeded', B: 'failed' }));
    expect(talk.facts()).toContain('ReconciliationFailed');
    expect(talk.status).toBe('OUTCOME_UNKNOWN');
    const [told] = news(talk);
    expect(told).toMatchObject({ outcome: 'UNKNOWN', isBeingChecked: true, canRetry: false });
    expect(outcomesOf(told?.items)).toEqual(['A succeeded', 'B failed', 'C unknown']);
    const [row] = talk.lastReaction?.transactions ?? [];
    expect(row).toMatchObject({ outcome: 'UNKNOWN', endedAt: null });
    expect(row?.items.map(({ id, outcome }) => `${id} ${outcome ?? ''}`)).toEqual(outcomesOf(told?.items));
    talk.waits(30);
    expect(talk.facts()).toContain('ReconciliationStarted');
    const asked = talk.says({ text: 'e aí?' }).filter(({ kind }) => kind === 'outcome');
    expect(asked).toEqual([told]);
  });

  it('ends the transaction together with later answers: an item once settled stays so', () => {
    const talk = unknownCall();
    talk.answers(answerAbout({ A: 'succeeded' }));
    talk.waits(30);
    talk.answers(answerAbout({ A: 'failed', B: 'failed' }));
    talk.waits(60);
    talk.answers(answerAbout({ C: 'succeeded' }));
    expect(talk.status).toBe('IDLE');
    expect(talk.state.last).toMatchObject({ status: 'COMPLETED', outcome: 'PARTIAL_SUCCESS' });
    expect(outcomesOf(talk.state.last?.items)).toEqual(['A succeeded', 'B failed', 'C succeeded']);
    const ends = talk.events.filter(({ type }) => type === 'TransactionEnded');
    expect(ends).toHaveLength(1);
  });

  it('also when all that it knows is that some have failed', () => {
    const talk = unknownCall();
    talk.answers(answerAbout({ B: 'failed' }));
    expect(outcomesOf(news(talk).at(-1)?.items)).toEqual(['A unknown', 'B failed', 'C unknown']);
  });

  it('is told once: the same answer again brings no news', () => {
    const talk = unknownCall();
    talk.answers(answerAbout({ A: 'succeeded' }));
    expect(news(talk)).toHaveLength(1);
    talk.waits(30);
    talk.answers(answerAbout({ A: 'succeeded' }));
    expect(news(talk)).toEqual([]);
  });

  it('is asked for a bounded number of times; then an operator has to, and the user is not told that somebody checks', () => {
    const talk = unknownCall();
    for (let asked = 0; asked < 4; asked += 1) {
      talk.answers(answerAbout({}));
      talk.waits(30 * 2 ** asked);
    }
    talk.answers(answerAbout({ A: 'succeeded' }));
    expect(talk.lastReaction?.deadline).toBeNull();
    expect(news(talk)).toMatchObject([{ isBeingChecked: false }]);
    expect(talk.status).toBe('OUTCOME_UNKNOWN');
    expect(slot(talk.says({ text: 'e aí?' }), 'outcome')).toMatchObject({ isBeingChecked: false });
  });

  it('settles nothing when the question itself failed', () => {
    const talk = unknownCall();
    const items = names.map((id) => ({ id, label: id, outcome: 'failed' as const }));
    talk.answers({ ...failureOf('transient'), items });
    talk.waits(30);
    talk.answers(answerAbout({ A: 'succeeded' }));
    expect(outcomesOf(news(talk).at(-1)?.items)).toEqual(['A succeeded', 'B unknown', 'C unknown']);
  });

  it('that finds nothing takes nothing back that an earlier one has found', () => {
    const talk = unknownCall();
    talk.answers(answerAbout({ A: 'succeeded' }));
    talk.waits(30);
    talk.answers({ data: { found: false }, outcome: 'SUCCESS' });
    expect(talk.status).toBe('OUTCOME_UNKNOWN');
  });

  it('is right over any row of answers: ended exactly when all are settled, each as it was first told', () => {
    const outcome = fc.constantFrom<Outcome>('succeeded', 'failed', 'unknown');
    const answers = fc.array(fc.record({ A: outcome, B: outcome, C: outcome }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(answers, (rows) => {
        const talk = unknownCall();
        const expected = new Map<string, Outcome>();
        for (const [index, row] of rows.entries()) {
          if (talk.status !== 'OUTCOME_UNKNOWN') break;
          talk.answers(answerAbout(row));
          for (const id of names) if (row[id] !== 'unknown' && !expected.has(id)) expected.set(id, row[id]);
          talk.waits(30 * 2 ** index);
        }
        expect(talk.status).toBe(expected.size === names.length ? 'IDLE' : 'OUTCOME_UNKNOWN');
        if (expected.size === names.length)
          expect(outcomesOf(talk.state.last?.items)).toEqual(names.map((id) => `${id} ${expected.get(id) ?? ''}`));
      }),
    );
  });
});

describe('an answer that comes while the call may still run', () => {
  it('settles what has succeeded; what it does not have yet has not failed', () => {
    const talk = new Conversation();
    talk.says(wants('cancelar_produtos', { items: [...names] }));
    talk.says(yes);
    const error = { errorCategory: 'transient', isRetryable: false, message: 'x', code: 'tool.timeout' } as const;
    slot(talk.answers({ ok: false, outcome: 'UNKNOWN', error }), 'outcome');
    talk.answers(answerAbout({ A: 'succeeded', B: 'failed' }));
    expect(outcomesOf(news(talk).at(-1)?.items)).toEqual(['A succeeded', 'B unknown', 'C unknown']);
  });
});

describe('an answer of the call itself that leaves some items open', () => {
  function confirmed(): Conversation {
    const talk = new Conversation();
    talk.says(wants('cancelar_produtos', { items: [...names] }));
    talk.says(yes);
    expect(talk.status).toBe('EXECUTING');
    return talk;
  }

  it('is told item by item, and only the open ones are asked about', () => {
    const talk = confirmed();
    const told = slot(talk.answers(answerAbout({ A: 'succeeded', B: 'failed' })), 'outcome');
    expect(told).toMatchObject({ outcome: 'UNKNOWN', isBeingChecked: true, canRetry: false });
    expect(outcomesOf(told?.items)).toEqual(['A succeeded', 'B failed', 'C unknown']);
    expect(talk.status).toBe('OUTCOME_UNKNOWN');
    expect(talk.facts()).toContain('ReconciliationStarted');
  });

  it('ends with what the reconcile tool knows of the rest; what the call said of its items stays', () => {
    const talk = confirmed();
    talk.answers(answerAbout({ A: 'succeeded', B: 'failed' }));
    talk.answers(answerAbout({ A: 'failed', B: 'succeeded', C: 'succeeded' }));
    expect(talk.status).toBe('IDLE');
    expect(talk.state.last).toMatchObject({ status: 'COMPLETED', outcome: 'PARTIAL_SUCCESS' });
    expect(outcomesOf(talk.state.last?.items)).toEqual(['A succeeded', 'B failed', 'C succeeded']);
  });
});

describe('a late answer of the call itself, while the conversation is about something else', () => {
  /** Three items of which one is settled, set aside for an order that is being looked up. */
  function setAside(): { readonly talk: Conversation; readonly call: string; readonly running: string } {
    const talk = new Conversation();
    talk.says(wants('cancelar_produtos', { items: [...names] }));
    talk.says(yes);
    const call = talk.runningCall();
    talk.answers(answerAbout({ A: 'succeeded' }));
    talk.says(wants('retail_order_tracking', { order_id: 'PED-1001' }));
    expect(talk.status).toBe('EXECUTING');
    return { talk, call, running: talk.runningCall() };
  }

  it('adds what it knows, and the call that runs now is answered as if nothing had been', () => {
    const { talk, call, running } = setAside();
    talk.hear(talk.result(call, answerAbout({ B: 'failed' })));
    expect(outcomesOf(news(talk).at(-1)?.items)).toEqual(['A succeeded', 'B failed', 'C unknown']);
    expect(talk.status).toBe('EXECUTING');
    const told = talk.hear(talk.result(running, { data: { status: 'shipped' } }));
    expect(told.map((one) => (one.kind === 'outcome' ? one.outcome : one.kind))).toEqual(['UNKNOWN', 'SUCCESS']);
  });

  it('ends its own transaction with all that was told before', () => {
    const { talk, call } = setAside();
    talk.hear(talk.result(call, answerAbout({ A: 'failed', B: 'failed', C: 'succeeded' })));
    expect(talk.state.last).toMatchObject({ status: 'COMPLETED', outcome: 'PARTIAL_SUCCESS' });
    expect(outcomesOf(talk.state.last?.items)).toEqual(['A succeeded', 'B failed', 'C succeeded']);
    expect(talk.status).toBe('EXECUTING');
  });

  it('ends it also when only all the answers together tell of every item', () => {
    const { talk, call } = setAside();
    talk.hear(talk.result(call, answerAbout({ B: 'failed' })));
    talk.hear(talk.result(call, answerAbout({ C: 'failed' })));
    expect(talk.state.unresolved).toEqual([]);
    expect(outcomesOf(talk.state.last?.items)).toEqual(['A succeeded', 'B failed', 'C failed']);
  });

  it('reopens no parameter of the transaction that runs now', () => {
    const { talk, call, running } = setAside();
    talk.hear(talk.result(call, failureOf('validation', { parameter: 'order_id' })));
    expect(talk.facts()).not.toContain('ParameterReopened');
    expect(slot(talk.hear(talk.result(running, {})), 'outcome')).toMatchObject({
      toolLabel: 'o rastreamento do pedido',
    });
  });

  it('that knows nothing new is no news', () => {
    const { talk, call } = setAside();
    talk.hear(talk.result(call, answerAbout({ A: 'failed' })));
    expect(news(talk)).toEqual([]);
  });
});
