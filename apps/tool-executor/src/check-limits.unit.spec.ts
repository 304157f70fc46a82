import { describe, expect, it } from '@jest/globals';
import { type AgentConfig, type PlatformConfig, type ToolConfig } from '@latch/contracts';
import { authorize } from './authorize.ts';
import { checkLimits } from './check-limits.ts';
import { approvedCall } from './approved-call.features.ts';
import { platformConfig } from './sample-domain.features.ts';

const limits = { maxItems: 2, maxAmounts: { amount: 100 } };
const items = (count: number): { id: string; label: string }[] =>
  Array.from({ length: count }, (_, index) => ({ id: `i-${index}`, label: 'item' }));

describe('the limits of a tool', () => {
  it.each<[string, Record<string, unknown>, number]>([
    ['as many items and as much as is allowed', { amount: 100 }, 2],
    ['nothing that is limited', {}, 0],
    ['an amount as a decimal text', { amount: '99.99' }, 1],
    ['amounts that sum up to the most', { amount: [50, '50'] }, 1],
  ])('allow %s', (_, args, count) => {
    expect(checkLimits({ arguments: args, items: items(count) }, { name: 'pay', limits })).toBeNull();
  });

  it.each<[string, Record<string, unknown>, number]>([
    ['one item more', {}, 3],
    ['a list of three where nobody named the items', { orders: [1, 2, 3] }, 0],
    ['more than the amount', { amount: 100.01 }, 1],
    ['more in sum', { amount: [60, 60] }, 1],
    ['a negative amount that is larger', { amount: -500 }, 1],
    ['an amount that is none', { amount: 'a secret lot' }, 1],
    ['an amount that is a structure', { amount: { value: 1 } }, 1],
  ])('refuse %s, without a value', (_, args, count) => {
    const refusal = checkLimits({ arguments: args, items: items(count) }, { name: 'pay', limits });
    expect(refusal).toMatchObject({ code: 'tool.limit_exceeded', errorCategory: 'business', isRetryable: false });
    expect(refusal?.message).not.toContain('secret');
  });

  it('are part of what is authorized', () => {
    const approved = approvedCall('cancel', { args: {}, items: ['a', 'b', 'c'], fields: {} });
    expect(authorize(approved, withTool({ limits }))).toMatchObject({
      ok: false,
      error: { code: 'tool.limit_exceeded' },
    });
    expect(authorize(approved, withTool({}))).toMatchObject({ ok: true });
  });
});

describe('the channel of a call', () => {
  const from = (channel: string | undefined): ReturnType<typeof approvedCall> => {
    const approved = approvedCall('cancel', { args: {}, items: [], fields: {} });
    return { ...approved, invocation: { ...approved.invocation, ...(channel === undefined ? {} : { channel }) } };
  };

  it.each<[string | undefined, readonly string[] | undefined, readonly string[], boolean]>([
    ['web', ['web'], ['web', 'voice'], true],
    ['voice', ['web'], ['web', 'voice'], false],
    ['sms', undefined, ['web', 'voice'], false],
    [undefined, ['web'], ['web'], false],
    [undefined, undefined, ['web'], true],
  ])('%s, of a tool for %s of an agent on %s: allowed is %s', (channel, channels, ofAgent, isAllowed) => {
    const config = withTool(channels === undefined ? {} : { channels }, ofAgent);
    const authorized = authorize(from(channel), config);
    expect(authorized.ok).toBe(isAllowed);
    if (!authorized.ok) expect(authorized.error.code).toBe('tool.not_allowed');
  });
});

function withTool(more: Partial<ToolConfig>, channels: readonly string[] = []): PlatformConfig {
  const { agents, ...rest } = platformConfig({ main: 'http://127.0.0.1:9/mcp' });
  const change = (agent: AgentConfig): AgentConfig => ({
    ...agent,
    channels,
    tools: Object.fromEntries(Object.entries(agent.tools).map(([name, tool]) => [name, { ...tool, ...more }])),
  });
  return { ...rest, agents: Object.fromEntries(Object.entries(agents).map(([id, agent]) => [id, change(agent)])) };
}
