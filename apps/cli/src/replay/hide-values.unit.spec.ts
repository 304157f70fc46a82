import { describe, expect, it } from '@jest/globals';
import { type AgainstReport, type RebuildVerdict, type ReplaySummary } from '@latch/replay';
import { hideAspects, hideStates } from './hide-values.ts';

const counts = {
  conversations: 1,
  events: 1,
  equal: 0,
  differ: 1,
  erased: 0,
  unreadable: { count: 0, first: [] },
  seconds: 0,
};

function shownPath(path: string): unknown {
  const difference = { path, stored: 'Maria', found: 'João' };
  const finding = { conversationKey: 'a:b:c', tenantId: 'a', verdict: { kind: 'differs' as const, difference } };
  const summary: ReplaySummary<RebuildVerdict> = { ...counts, findings: [finding] };
  const [shown] = hideStates(summary).findings;
  expect(JSON.stringify(shown)).not.toMatch(/Maria|João/);
  return shown?.verdict.kind === 'differs' ? shown.verdict.difference.path : undefined;
}

describe('what a rebuild has found', () => {
  it.each([
    ['$', '$'],
    ['$.transaction.status', '$.transaction.status'],
    ['$.parked[1].rev', '$.parked[1].rev'],
    ['$.transaction.arguments', '$.transaction.arguments'],
    ['$.transaction.arguments.5511999990000', '$.transaction.arguments.(not shown)'],
    ['$.transaction.proposal.items[0].label', '$.transaction.proposal.items.(not shown)'],
    ['$.last.maria.silva', '$.last.(not shown)'],
    ['$.transaction.tool.of maria', '$.transaction.tool.(not shown)'],
  ])('is shown without its values, and only as far as members are ours: %s', (path, shown) => {
    expect(shownPath(path)).toBe(shown);
  });
});

describe('what another configuration would have decided', () => {
  it('is shown without arguments, values and answers', () => {
    const aspects = [
      { kind: 'other_tool', recorded: [{ began: 'a' }], decided: [{ began: 'b' }] },
      { kind: 'other_values', recorded: [{ name: 'Maria' }], decided: [] },
    ] as const;
    const difference = {
      turn: 1,
      version: 1,
      input: 'UserSpoke',
      messageId: 'm',
      at: '',
      kind: 'other_tool',
      aspects,
    } as const;
    const report: AgainstReport = {
      ...{ kinds: [], decisions: 1, decisionsThatDiffer: 1 },
      conversations: [{ conversationKey: 'a:b:c', differences: [difference] }],
    };
    const [shown] = hideAspects(report).conversations;
    expect(shown?.differences[0]?.aspects).toEqual([
      aspects[0],
      { kind: 'other_values', recorded: ['(not shown: personal)'], decided: ['(not shown: personal)'] },
    ]);
  });
});
