import { describe, expect, it } from '@jest/globals';
import { TransactionId } from '@latch/contracts';
import { capsule } from './confirmation.ts';
import { Conversation, newConversation, slot, wants, yes } from './fixtures/conversation.ts';
import { type Proposal } from './state.ts';

function shownProposal(): Proposal {
  const talk = new Conversation();
  talk.says(wants('cancelar_produtos', { items: ['A', 'B'] }));
  const open = talk.state.transaction;
  if (open?.status !== 'AWAITING_CONFIRMATION') throw new Error('a proposal is shown');
  return open.proposal;
}

describe('what was shown is what is sent (I5)', () => {
  it('sends the arguments and items of the proposal, whatever comes with the yes', () => {
    const talk = new Conversation();
    const shown = slot(talk.says(wants('cancelar_produtos', { items: ['A', 'B'] })), 'ask_confirmation');
    const turn = {
      businessContext: { customer_key: 'other' },
      sources: { toolArguments: { items: ['Z'] }, context: { items: ['Z'] }, metadata: {} },
    };
    talk.says({ ...yes, turn });
    const [sent] = talk.lastReaction?.invocations ?? [];
    expect(sent?.arguments).toEqual({ items: ['A', 'B'] });
    expect(sent?.items?.map(({ label }) => ({ label }))).toEqual(shown.items);
  });

  it('names the proposal by a digest of everything that a yes approves', () => {
    const { proposalId, ...content } = shownProposal();
    const identity = newConversation();
    const id = TransactionId.parse('t');
    const named = (change: Partial<typeof content>): string => capsule(identity, { id }, { ...content, ...change });
    const changes: readonly Partial<typeof content>[] = [
      { rev: 2 },
      { tool: 'outra' },
      { toolSchemaHash: 'h' },
      { arguments: { items: ['A'] } },
      { items: [] },
      { rejected: [{ label: 'C', reason: null }] },
      { message: 'Confirma?' },
      { values: [{ label: 'valor', value: '1' }] },
      { configDigest: 'd' },
      { principal: 'bia' },
      { expiresAt: '2026-12-01T00:00:00.000Z' },
    ];
    expect(new Set([named({}), ...changes.map(named)]).size).toBe(changes.length + 1);
    expect(capsule({ ...identity, tenantId: 'x' }, { id }, content)).not.toBe(named({}));
    expect(proposalId).toMatch(/^[0-9a-f]{64}$/);
  });

  it('says everything that a tool of the agent is given and that the user can know', () => {
    const talk = new Conversation();
    talk.says(wants('contestar_cobranca', { subject: 'TIM', valor: '71.99' }));
    const shown = slot(talk.answers({ data: { eligible: true } }), 'ask_confirmation');
    expect(shown.values.map(({ value }) => value)).toEqual(['TIM', '71.99']);
  });
});

describe('what leaves the conversation as a signal', () => {
  it('holds no value and no word of the user', () => {
    const talk = new Conversation();
    const secrets = ['PED-4242', 'me chamo Ana'];
    const payloads = [wants('retail_order_cancel', { order_id: 'PED-4242' }), yes].map((spoken) => {
      talk.says({ ...spoken, text: 'me chamo Ana' });
      return JSON.stringify(talk.lastReaction?.signals);
    });
    for (const secret of secrets) expect(payloads.join()).not.toContain(secret);
  });

  it('names the items of an ended transaction by their places, never by what the user gave', () => {
    const talk = new Conversation();
    talk.says(wants('cancelar_produtos', { items: ['11987654321', 'Música da Ana'] }));
    talk.says(yes);
    talk.answers({
      outcome: 'SUCCESS',
      items: ['11987654321', 'Música da Ana'].map((id) => ({ id, label: id, outcome: 'succeeded' })),
    });
    const ended = talk.lastReaction?.signals.find(({ eventType }) => eventType === 'IC.TRANSACTION_ENDED');
    expect(ended?.payload['items']).toMatchObject([{ id: '1' }, { id: '2' }]);
    expect(JSON.stringify(talk.lastReaction?.signals)).not.toMatch(/11987654321|Música/);
  });

  it('tells the whole life of a transaction', () => {
    const talk = new Conversation();
    const types: string[] = [];
    const note = (): void => void types.push(...(talk.lastReaction?.signals ?? []).map(({ eventType }) => eventType));
    talk.says(wants('retail_order_cancel', { order_id: 'PED-1001' }));
    note();
    talk.says(yes);
    note();
    talk.answers({ outcome: 'SUCCESS' });
    note();
    expect(types).toEqual([
      'IC.TURN_READ',
      'IC.TRANSACTION_STARTED',
      'IC.PARAMETERS_COLLECTED',
      'IC.CONFIRMATION_REQUESTED',
      'IC.TURN_READ',
      'IC.CONFIRMATION_RECEIVED',
      'IC.TRANSACTION_ENDED',
    ]);
  });
});

describe('what a validator resolves', () => {
  it('is sent only as far as the tool declares it or its items name it: nobody has seen the rest (invariants I5, I14)', () => {
    const talk = new Conversation();
    talk.says(wants('cancelar_vas_avulso', { subject: 'A, B' }));
    const items = [{ name: 'A' }, { name: 'B' }];
    const resolved_arguments = { subject: 'A, B', items, account_scope: 'ALL_LINES', valor_multa: 999 };
    talk.answers({ data: { eligible: true, transaction_decision: { resolved_arguments } } });
    talk.says(yes);
    expect(talk.lastReaction?.invocations[0]?.arguments).toEqual({ subject: 'A, B', items });
  });
});

describe('the projection of a decision', () => {
  it('has one row for each transaction that was touched, with its items and their outcomes', () => {
    const talk = new Conversation();
    talk.says(wants('cancelar_produtos', { items: ['A', 'B'] }));
    expect(talk.lastReaction?.transactions).toMatchObject([
      {
        status: 'AWAITING_CONFIRMATION',
        rev: 1,
        items: [
          { id: 'A', outcome: null },
          { id: 'B', outcome: null },
        ],
      },
    ]);
    talk.says({ abandons: true, ...wants('retail_order_cancel') });
    expect(talk.lastReaction?.transactions.map(({ tool, status }) => [tool, status])).toEqual([
      ['cancelar_produtos', 'CANCELLED'],
      ['retail_order_cancel', 'COLLECTING_PARAMETERS'],
    ]);
  });

  it('announces the next deadline, and none when nothing is open', () => {
    const talk = new Conversation();
    talk.says(wants('retail_order_cancel'));
    expect(talk.lastReaction?.deadline).toMatchObject({ rev: 0, at: '2026-11-30T12:30:01.000Z' });
    talk.says({ abandons: true });
    expect(talk.lastReaction?.deadline).toBeNull();
  });
});
