import { describe, expect, it } from '@jest/globals';
import { ConversationKey } from '@latch/contracts';
import { restoreState } from './restore-state.ts';
import { initialState } from './state.ts';

const identity = {
  tenantId: 'default',
  agentId: 'retail_orders',
  sessionId: 's',
  conversationKey: ConversationKey.parse('default:retail_orders:s'),
};
const fresh = initialState(identity);

describe('restoring a conversation', () => {
  it('starts a new one when nothing is stored', () => {
    expect(restoreState(identity, null)).toEqual(fresh);
  });

  it('takes a stored state as it is', () => {
    const stored = JSON.parse(JSON.stringify({ ...fresh, clarifications: 2 }));
    expect(restoreState(identity, stored)).toEqual({ ...fresh, clarifications: 2 });
  });

  it.each([
    ['a state of another conversation', { ...fresh, conversationKey: 'other:x:y' }, /another conversation/],
    ['a state of a newer version', { ...fresh, stateVersion: 2 }, /version 2/],
    ['text', 'COLLECTING_PARAMETERS', /not an object/],
    ['a status without its transaction', { ...fresh, transaction: 'COLLECTING_PARAMETERS' }, /without a transaction/],
    ['an unknown status', { ...fresh, transaction: { status: 'DREAMING' } }, /DREAMING/],
    ['a collection without its parameters', { ...fresh, transaction: { status: 'COLLECTING_PARAMETERS' } }, /missing/],
    ['lists that are none', { ...fresh, parked: null }, /cannot be read/],
  ])('never restarts %s in silence, but says what is wrong', (_, stored, problem) => {
    const state = restoreState(identity, stored);
    expect(state.inconsistency).toMatch(problem);
    expect(state.transaction).toBeNull();
  });
});
