import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TurnExplanation } from '@latch/contracts';
import { explainTurn, findTurn, isTransactionEvent, type RecordedFact } from '@latch/transaction';
import { callsIn, conversationWith, startTestEngine, type TestEngine } from './engine-on-postgres.features.ts';

let engine: TestEngine;
const conversation = conversationWith('retail_orders');

beforeAll(async () => {
  engine = await startTestEngine();
  await engine.handle([conversation.says('quero cancelar pedido', 'm-1')]);
  await engine.handle([conversation.says('o pedido é o PED-1001', 'm-2')]);
  const [validation] = callsIn(engine.published.splice(0));
  if (!validation) throw new Error('nothing was validated');
  await engine.handle([conversation.resultOf(validation, { ok: true, data: { eligible: true }, outcome: 'SUCCESS' })]);
  await engine.handle([conversation.says('sim', 'm-3')]);
  const [execution] = callsIn(engine.published.splice(0));
  if (!execution) throw new Error('nothing was executed');
  const done = { ok: true, data: { order_id: 'PED-1001', status: 'CANCELADO' }, outcome: 'SUCCESS' } as const;
  await engine.handle([conversation.resultOf(execution, done), conversation.says('obrigado', 'm-4')]);
});
afterAll(() => engine.end());

/** From what Postgres holds, as ingress does it. */
async function explain(messageId: string): Promise<TurnExplanation> {
  const stored = await engine.store.readEvents({ tenantId: 'default', key: conversation.key, after: 0, limit: 1_000 });
  const facts = stored.flatMap(({ version, payload }): RecordedFact[] =>
    isTransactionEvent(payload) ? [{ sequence: version, event: payload }] : [],
  );
  const received = findTurn(facts, messageId);
  const agent = await engine.store.readConfigVersion(received?.configDigest ?? '');
  const identity = await engine.store.readConversation('default', conversation.key);
  if (!received || !agent || !identity) throw new Error(`the turn of ${messageId} cannot be explained`);
  return TurnExplanation.parse(explainTurn({ identity, facts, received, agent }));
}

describe('a conversation in Postgres', () => {
  it.each([
    ['m-1', 'new_intent', 'start_intent', 'IDLE', 'COLLECTING_PARAMETERS', []],
    ['m-2', 'fills_parameter', 'collect_values', 'COLLECTING_PARAMETERS', 'AWAITING_CONFIRMATION', ['pre_validation']],
    ['m-3', 'confirms', 'execute_proposal', 'AWAITING_CONFIRMATION', 'COMPLETED', ['execution']],
  ])(
    'explains the turn of %s: %s wins and %s is done, from %s to %s, with the calls %j',
    async (messageId, rule, action, before, answered, calls) => {
      const explanation = await explain(messageId);
      expect(explanation.decision).toMatchObject({ rule, action, is_reproduced: true });
      expect(explanation.state).toMatchObject({ before: { status: before }, answered: { status: answered } });
      expect(explanation.calls.map(({ purpose }) => purpose)).toEqual(calls);
      expect(explanation.calls.every(({ result }) => result?.ok)).toBe(true);
    },
  );

  it('says that a generic word of the domain lost against the value that was asked for (seeds/002, regression A)', async () => {
    const explanation = await explain('m-2');
    expect(explanation.reading.rules.map(({ text }) => text)).toContain('PED-1001');
    const domainWord = explanation.decision.classes.find(({ message_class: name }) => name === 'domain_word');
    expect(domainWord).toMatchObject({ holds: true, verdict: 'lost' });
  });
});
