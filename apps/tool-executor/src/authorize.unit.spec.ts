import { describe, expect, it } from '@jest/globals';
import { type AgentConfig, type ParameterConfig, type PlatformConfig } from '@latch/contracts';
import { type ApprovedInvocation } from '@latch/event-store';
import { authorize } from './authorize.ts';
import { checkArguments } from './check-arguments.ts';
import { checkCapsule, checkExpiry } from './check-capsule.ts';
import { approvedCall } from './approved-call.features.ts';
import { platformConfig } from './sample-domain.features.ts';
import { mapArguments } from './map-arguments.ts';
import { closeLostAttempts, mayRepeat, resolveCrash } from './may-repeat.ts';

const config = platformConfig({ main: 'http://127.0.0.1:9/mcp' });

function approved(tool: string, fields: Partial<ApprovedInvocation> = {}): ApprovedInvocation {
  return approvedCall(tool, { args: { order_id: 'PED-1' }, items: ['A'], fields });
}

function withServerOff({ agents, servers, ...rest }: PlatformConfig): PlatformConfig {
  return {
    ...rest,
    agents,
    servers: Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, { ...server, enabled: false }])),
  };
}

describe('a call is allowed only when everything says so (invariant I13)', () => {
  it('allows the tool of a configured agent for its tenant', () => {
    expect(authorize(approved('cancel'), config)).toMatchObject({
      ok: true,
      value: { tool: { name: 'cancel' }, server: { name: 'main' } },
    });
  });

  it.each<[string, ApprovedInvocation, PlatformConfig]>([
    ['an unknown agent', approved('cancel', { agentId: 'ghost' }), config],
    ['a name of the prototype as agent', approved('cancel', { agentId: 'constructor' }), config],
    ['a name of the prototype as tool', approved('toString'), config],
    ['a tenant that is not served', approved('cancel', { tenantId: 'rival' }), config],
    ['a disabled tool', approved('off'), config],
    ['a disabled server', approved('cancel'), withServerOff(config)],
    ['a missing confirmation', approved('cancel', { proposalId: null }), config],
    ['a confirmed tool as reconcile tool', approved('cancel', { purpose: 'reconcile' }), config],
  ])('denies %s', (_, call, platform) => {
    expect(authorize(call, platform)).toMatchObject({
      ok: false,
      error: { code: 'tool.not_allowed', isRetryable: false },
    });
  });
});

describe('the arguments of an approved call', () => {
  const amount: ParameterConfig = {
    name: 'amount',
    type: 'number',
    format: null,
    label: 'amount',
    description: null,
    userPrompt: null,
    pattern: null,
    enum: null,
    minimum: 1,
    maximum: 100,
    default: undefined,
  };
  const order: ParameterConfig = { ...amount, name: 'order_id', type: 'string', pattern: '^PED-[0-9]+$' };
  const reason: ParameterConfig = { ...amount, name: 'reason', type: 'string', enum: ['late', 'broken'] };
  const tool = { name: 'cancel', parameters: { amount, order_id: order, reason } };

  it.each([
    ['all within their declaration', { amount: 100, order_id: 'PED-1', reason: 'late' }],
    ['that are not given', { amount: null }],
    ['that nobody declared', { from_the_context: { deep: true } }],
  ])('%s may be sent', (_, given) => {
    expect(checkArguments(given, tool)).toBeNull();
  });

  it.each([
    ['below the minimum', { amount: 0 }, 'amount'],
    ['above the maximum', { amount: 100.01 }, 'amount'],
    ['of another type', { amount: 'secret' }, 'amount'],
    ['a list in the place of a text', { order_id: ['PED-1'] }, 'order_id'],
    ['that breaks the pattern', { order_id: 'secret' }, 'order_id'],
    ['outside of the enumeration', { reason: 'secret' }, 'reason'],
  ])('%s are refused by name, without their value', (_, given, name) => {
    const refusal = checkArguments(given, tool);
    expect(refusal).toMatchObject({ errorCategory: 'validation', isRetryable: false, code: 'tool.not_allowed' });
    expect(refusal?.message).toContain(name);
    expect(refusal?.message).not.toContain('secret');
  });

  it('are compared with the declaration of the agent that makes the call', () => {
    const call = approvedCall('cancel', { args: { order_id: 'ORD-1' }, items: [], fields: {} });
    expect(authorize(call, withParameter(config, order))).toMatchObject({
      ok: false,
      error: { code: 'tool.not_allowed' },
    });
  });
});

function withParameter({ agents, ...rest }: PlatformConfig, parameter: ParameterConfig): PlatformConfig {
  const declare = (agent: AgentConfig): AgentConfig => ({
    ...agent,
    tools: Object.fromEntries(
      Object.entries(agent.tools).map(([name, tool]) => [
        name,
        { ...tool, parameters: { [parameter.name]: parameter } },
      ]),
    ),
  });
  return {
    ...rest,
    agents: Object.fromEntries(Object.entries(agents).map(([id, agent]) => [id, declare(agent)])),
  };
}

describe('the capsule', () => {
  it('is the approved call itself, whatever order its members have', () => {
    const call = approved('cancel');
    const { arguments: args, ...rest } = call.invocation;
    expect(checkCapsule({ arguments: args, ...rest }, call)).toBeNull();
  });

  it('refuses a record that nests too deeply to be compared', () => {
    const call = approved('cancel');
    let deep: unknown = 1;
    for (let level = 0; level < 500; level += 1) deep = [deep];
    expect(checkCapsule({ ...call.invocation, arguments: { deep } }, call)).toMatchObject({
      code: 'tool.capsule_mismatch',
    });
  });

  it('names what differs and no value of it', () => {
    const call = approved('cancel');
    const refusal = checkCapsule({ ...call.invocation, tenant_id: 'rival-secret' }, call);
    expect(refusal?.message).toContain('tenant_id');
    expect(refusal?.message).not.toContain('rival-secret');
  });

  it.each([
    ['2026-11-30T12:00:00.000Z', '2026-11-30T11:59:59.999Z', null],
    ['2026-11-30T12:00:00.000Z', '2026-11-30T12:00:00.000Z', 'tool.expired'],
    [null, '2126-01-01T00:00:00.000Z', null],
  ])('that expires at %s is, at %s, refused with %s', (expiresAt, now, code) => {
    expect(checkExpiry({ expiresAt }, now)?.code ?? null).toBe(code);
  });
});

describe('a repeat', () => {
  const transient = { errorCategory: 'transient', isRetryable: true, message: '' } as const;
  const sent = { kind: 'timeout', timeout_ms: 1, sent: true } as const;
  const unsent = { kind: 'transport_error', code: 'ECONNREFUSED', message: '', sent: false } as const;
  const idempotent = { declaredIdempotent: true, maxAttempts: 3 };
  const notIdempotent = { declaredIdempotent: false, maxAttempts: 3 };

  it.each([
    ['a read', false, notIdempotent, sent, 1, true],
    ['a tool that is declared idempotent', true, idempotent, sent, 1, true],
    ['any other call that was sent', true, notIdempotent, sent, 1, false],
    ['any other call that never left', true, notIdempotent, unsent, 1, true],
    ['a call at its last attempt', false, idempotent, sent, 3, false],
  ] as const)('of %s', (_, isMutating, tool, outcome, tries, isAllowed) => {
    expect(mayRepeat({ isMutating, tool, outcome, error: transient, tries })).toBe(isAllowed);
  });

  it.each(['validation', 'business', 'permission'] as const)('never follows a %s error', (errorCategory) => {
    const error = { errorCategory, isRetryable: false, message: '' };
    expect(mayRepeat({ isMutating: false, tool: idempotent, outcome: sent, error, tries: 1 })).toBe(false);
  });

  it.each([
    [
      'an attempt without an end, not idempotent',
      approved('cancel_once'),
      notIdempotent,
      [{ number: 1, started_at: '' }],
      'lost',
    ],
    ['an attempt without an end, idempotent', approved('cancel'), idempotent, [{ number: 1, started_at: '' }], 'retry'],
    ['an attempt without an end, a read', approved('look'), notIdempotent, [{ number: 1, started_at: '' }], 'retry'],
    ['no attempt', approved('cancel_once'), notIdempotent, [], 'retry'],
  ] as const)('after a crash with %s', (_, call, tool, attempts, verdict) => {
    expect(resolveCrash({ approved: call, attempts: [...attempts] }, tool)).toBe(verdict);
  });

  it('keeps the lost attempt in the evidence', () => {
    expect(closeLostAttempts([{ number: 1, started_at: '' }])).toMatchObject([
      { number: 1, outcome: { kind: 'lost' } },
    ]);
  });
});

describe('the arguments on the wire', () => {
  it('are the approved ones', () => {
    expect(
      mapArguments(approved('cancel'), { mapping: { map: { a: 'b' }, defaults: { c: 1 }, idempotencyArgument: null } }),
    ).toEqual({ order_id: 'PED-1' });
  });

  it('carry the key where the tool takes it as an argument', () => {
    const call = approved('cancel', { idempotencyKey: 'key-1' });
    expect(mapArguments(call, { mapping: { map: {}, defaults: {}, idempotencyArgument: 'request_id' } })).toEqual({
      order_id: 'PED-1',
      request_id: 'key-1',
    });
  });
});
