import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { conversationKeyOf, deterministicId, turnIdOf } from './ids.ts';

describe('a deterministic id', () => {
  it('is a version 5 UUID', () => {
    expect(deterministicId('turn', 'a')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('is the same for the same parts and another one for other parts', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), fc.array(fc.string(), { minLength: 1 }), (a, b) => {
        const same = JSON.stringify(a) === JSON.stringify(b);
        expect(deterministicId(...a) === deterministicId(...b)).toBe(same);
      }),
    );
  });
});

describe('a conversation key', () => {
  it('joins tenant, agent and session', () => {
    const key = conversationKeyOf({ tenant_id: 'default', agent_id: 'telecom_contas', session_id: 'session-001' });
    expect(key).toBe('default:telecom_contas:session-001');
  });

  it('keeps a session id that is already prefixed with its own tenant and agent', () => {
    const session_id = 'default:telecom_contas:session-001';
    expect(conversationKeyOf({ tenant_id: 'default', agent_id: 'telecom_contas', session_id })).toBe(session_id);
  });

  it("prefixes a session id that carries another tenant's prefix, so that it reaches only its own conversation", () => {
    const key = conversationKeyOf({ tenant_id: 'a', agent_id: 'x', session_id: 'b:x:s' });
    expect(key).toBe('a:x:b:x:s');
  });
});

describe('a turn id', () => {
  const of = { conversationKey: 'default:retail_orders:s', channel: 'web', userId: 'u', messageId: 'm' };

  it('is the same for a repeated message', () => {
    expect(turnIdOf(of)).toBe(turnIdOf({ ...of }));
  });

  it.each([{ messageId: 'n' }, { userId: 'v' }, { channel: 'voice' }, { conversationKey: 'other:retail_orders:s' }])(
    'is another one with %j',
    (change) => {
      expect(turnIdOf({ ...of, ...change })).not.toBe(turnIdOf(of));
    },
  );
});
