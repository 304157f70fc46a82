import { describe, expect, it } from '@jest/globals';
import { type ApprovedInvocation } from '@latch/event-store';
import { checkCapsule, checkExpiry } from './check-capsule.ts';

const invocation = { tenant_id: 't', agent_id: 'a', tool_name: 'cancelar', arguments: { erased: true } };
const approved: ApprovedInvocation = {
  invocationId: 'i',
  tenantId: 't',
  agentId: 'a',
  conversationKey: 't:a:s',
  transactionId: 'x',
  rev: 1,
  tool: 'cancelar',
  purpose: 'execution',
  operationType: 'transactional',
  proposalId: null,
  idempotencyKey: 'k',
  expiresAt: null,
  digest: 'd',
  invocation,
  isErased: true,
};

describe('a call that was approved for a person who was erased since', () => {
  it('is refused when it is announced, whatever the record says', () => {
    expect(checkCapsule(invocation, approved)).toMatchObject({
      code: 'tool.expired',
      message: expect.stringMatching(/erased/),
    });
  });

  it('is refused when it is taken over from an instance that died', () => {
    expect(checkExpiry(approved, '2026-11-30T12:00:00.000Z')).toMatchObject({ code: 'tool.expired' });
    expect(checkExpiry({ ...approved, isErased: false }, '2026-11-30T12:00:00.000Z')).toBeNull();
  });
});
