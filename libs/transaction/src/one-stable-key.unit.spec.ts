import { describe, expect, it } from '@jest/globals';
import { idempotencyKey } from '@latch/contracts';
import { Conversation, failureOf, wants, yes } from './fixtures/conversation.ts';
import { decide } from './decide.ts';

const cancel = wants('retail_order_cancel', { order_id: 'PED-1001' });

describe('one stable key (I3)', () => {
  it('is minted from tenant, transaction, revision and tool, and stored with the start', () => {
    const talk = new Conversation();
    talk.says(cancel);
    talk.says(yes);
    const [started] = talk.executions();
    expect(started?.call.idempotencyKey).toBe(
      idempotencyKey({
        tenantId: 'default',
        transactionId: started?.transactionId ?? '',
        rev: 1,
        tool: 'retail_order_cancel',
      }),
    );
    expect(talk.lastReaction?.invocations[0]?.idempotency_key).toBe(started?.call.idempotencyKey);
  });

  it('is the same when the same yes is decided again, and so is the call', () => {
    const talk = new Conversation();
    talk.says(cancel);
    const turn = talk.turn(yes);
    const before = talk.state;
    expect(decide(before, turn, talk.agent)).toEqual(decide(before, turn, talk.agent));
  });

  it('is asked about, never replaced, while the outcome is unknown', () => {
    const talk = new Conversation();
    talk.says(wants('cancelar_produtos', { items: ['A'] }));
    talk.says(yes);
    talk.answers({ ok: false, outcome: 'UNKNOWN' });
    talk.answers(failureOf('transient'));
    talk.waits(31);
    const keys = talk.events.flatMap((event) => ('call' in event ? [event.call.idempotencyKey] : []));
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
  });

  it('is another one for another revision', () => {
    const talk = new Conversation();
    talk.says(cancel);
    talk.says(yes);
    talk.answers(failureOf('validation', { parameter: 'order_id' }));
    talk.says({ values: { order_id: 'PED-2002' } });
    talk.says(yes);
    expect(new Set(talk.executions().map(({ call }) => call.idempotencyKey)).size).toBe(2);
  });

  it('gives every item its own key under it', () => {
    const talk = new Conversation();
    talk.says(wants('cancelar_produtos', { items: ['A', 'A'] }));
    talk.says(yes);
    const key = talk.executions()[0]?.call.idempotencyKey;
    expect(talk.lastReaction?.invocations[0]?.items).toMatchObject([
      { item_key: `${key}:A` },
      { item_key: `${key}:A#2` },
    ]);
  });
});
