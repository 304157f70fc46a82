import { describe, expect, it } from '@jest/globals';
import { canonicalJson } from '@latch/contracts';
import { type TransactionEvent } from './events.ts';
import { evolve } from './evolve.ts';
import { agent, agentWith } from './fixtures/agent.ts';
import { Conversation, gibberish, newConversation, wants, yes } from './fixtures/conversation.ts';
import { fold, recordedSteps, redecide } from './replay.ts';

/** A conversation that meets many kinds of events. */
function longConversation(): Conversation {
  const talk = new Conversation();
  talk.says(wants('contestar_cobranca', { subject: 'TIM' }));
  talk.says(gibberish);
  talk.says(wants('consultar_fatura'));
  talk.answers({ outcome: 'SUCCESS', data: { total: '99.90' } });
  talk.says(yes);
  talk.says({ values: { valor: '71.99' } });
  talk.answers({ data: { eligible: true, transaction_decision: { resolved_arguments: { subject: 'TIM CTRL' } } } });
  talk.says({ confirmation: 'no_with_change', values: { valor: '61.99' } });
  talk.answers({ data: { eligible: true } });
  talk.says(yes);
  talk.answers({ ok: false, outcome: 'UNKNOWN' });
  talk.says(wants('cancelar_produtos', { items: ['A', 'B'] }));
  talk.waits(700);
  talk.says(gibberish);
  return talk;
}

describe('state is the fold of the events (I6)', () => {
  it('byte for byte, from any snapshot, through JSON', () => {
    const { events, state } = longConversation();
    for (let cut = 0; cut <= events.length; cut += 1) {
      const snapshot = JSON.parse(JSON.stringify(fold(newConversation(), events.slice(0, cut))));
      expect(canonicalJson(fold(snapshot, events.slice(cut)))).toBe(canonicalJson(state));
    }
  });

  it('is not changed by an event of a type that this version does not know', () => {
    const { state } = longConversation();
    const later: TransactionEvent = JSON.parse('{"type":"PaymentSplit","transactionId":"t","parts":3}');
    expect(evolve(state, later)).toEqual(state);
  });

  it('never throws, whatever order events come in', () => {
    const { events } = longConversation();
    for (const first of events) for (const second of events) fold(newConversation(), [second, first]);
    expect(fold(newConversation(), [...events].reverse()).conversationKey).toBe(newConversation().conversationKey);
  });

  it('leaves the state that it was given as it was', () => {
    const { events } = longConversation();
    const frozen = deepFrozen(newConversation());
    expect(() => events.reduce((state, event) => deepFrozen(evolve(state, event)), frozen)).not.toThrow();
  });
});

describe('deciding again', () => {
  it('cuts the stream into one decision per input, each with the recorded reading', () => {
    const { events } = longConversation();
    const steps = recordedSteps(events);
    expect(steps.flatMap((step) => step.events)).toEqual(events);
    expect(steps.filter(({ input }) => input.type === 'UserSpoke')).toHaveLength(9);
  });

  it('gives byte-equal events', () => {
    expect(redecide(newConversation(), longConversation().events, () => agent)).toBeNull();
  });

  it('says which conversation would have gone otherwise under another configuration', () => {
    const lenient = agentWith({ maxClarifications: 0 });
    expect(redecide(newConversation(), longConversation().events, () => lenient)).toMatchObject({ step: 0 });
    const same = agentWith({ maxClarifications: 0, digest: agent.digest });
    expect(redecide(newConversation(), longConversation().events, () => same)).toMatchObject({ step: 1 });
  });
});

function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFrozen);
  }
  return value;
}
