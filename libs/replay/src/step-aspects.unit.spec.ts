import { describe, expect, it } from '@jest/globals';
import { type TransactionEvent } from '@latch/transaction';
import { differencesOf } from './step-aspects.ts';

/** A proposal as it was recorded, or as another configuration would make it. */
function shown(more: { readonly toolSchemaHash: string | null; readonly order: string }): TransactionEvent {
  const { toolSchemaHash, order } = more;
  return JSON.parse(
    JSON.stringify({
      type: 'ConfirmationRequested',
      transactionId: 't-1',
      why: 'first',
      proposal: {
        proposalId: `p-${toolSchemaHash}`,
        rev: 1,
        tool: 'cancelar',
        toolSchemaHash,
        arguments: { order_id: order },
        items: [],
        rejected: [],
        message: null,
        values: [{ label: 'o pedido', value: order }],
        configDigest: `c-${toolSchemaHash}`,
        principal: 'ana',
        expiresAt: '2026-11-30T12:00:00.000Z',
      },
    }),
  );
}

describe('a decision made again with the files of a folder', () => {
  const recorded = shown({ toolSchemaHash: 'schema-1', order: 'PED-1001' });

  it('is no other one because the schema of the tool was pinned then, and no file pins one', () => {
    expect(differencesOf([recorded], [shown({ toolSchemaHash: null, order: 'PED-1001' })])).toEqual([]);
  });

  it('is another one when something else is shown', () => {
    const [difference] = differencesOf([recorded], [shown({ toolSchemaHash: null, order: 'PED-2002' })]);
    expect(difference?.kind).toBe('other_confirmation');
  });
});
