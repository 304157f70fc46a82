import { describe, expect, it } from '@jest/globals';
import { type ProjectionDifference } from '@latch/event-store';
import { showDifference } from './show-difference.ts';

const phone = '+5511987654321';
const place = {
  kind: 'changed',
  row: 'r-1',
  tenantId: 'default',
  conversationKey: 'default:retail_orders:s-1',
} as const;

function shown(of: Partial<ProjectionDifference> & Pick<ProjectionDifference, 'table' | 'column'>): string {
  return JSON.stringify(showDifference({ ...place, stored: null, found: null, ...of }));
}

describe('a difference as an operator sees it', () => {
  it.each([
    [
      'approved_invocations',
      'invocation',
      (value: unknown) => ({ tool_name: 'x', arguments: { by_phone: value } }),
      '$.arguments',
    ],
    [
      'turns',
      'response',
      (value: unknown) => ({ payload: { metadata: { items: [value] } } }),
      '$.payload.metadata.items[0]',
    ],
    ['turns', 'response', (value: unknown) => ({ payload: { said_by: value } }), '$.payload'],
    ['tool_ledger', 'execution', (value: unknown) => ({ invocation: { arguments: value } }), '$.invocation.arguments'],
    [
      'tool_attempts',
      'outcome',
      (value: unknown) => ({ kind: 'result', result: { structuredContent: value } }),
      '$.result.structuredContent',
    ],
    ['transactions', 'arguments', (value: unknown) => value, '$'],
  ] as const)('has of %s.%s only the members that a contract of ours names', (table, column, around, path) => {
    const [stored, found] = [
      around({ [phone]: 1, 'ana@tim.com.br': 'x' }),
      around({ [phone]: 2, 'ana@tim.com.br': 'y' }),
    ];
    const text = shown({ table, column, stored, found });
    expect(text).not.toMatch(/98765|ana@|said_by|by_phone/);
    expect(JSON.parse(text)).toMatchObject({ path: `${path}.(not shown)`, stored: '(not shown: personal)' });
  });

  it('has a place whole that names nothing of a person', () => {
    const text = shown({
      table: 'turns',
      column: 'response',
      stored: { payload: { text: 'a' } },
      found: { payload: { text: 'b' } },
    });
    expect(JSON.parse(text)).toMatchObject({ path: '$.payload.text', stored: '(not shown: personal)' });
  });

  it('has key, row and values masked', () => {
    const text = shown({
      ...{ table: 'turns', column: 'ids.message_id', row: `m-${phone}`, conversationKey: `default:telecom:${phone}` },
      ...{ stored: `wa ${phone}`, found: { from: phone } },
    });
    expect(text).not.toContain('98765');
    expect(JSON.parse(text)).toMatchObject({
      row: 'm-[phone]',
      where: 'default:telecom:[phone]',
      stored: 'wa [phone]',
    });
  });

  it('has the reason why nothing is proven, and ids as they are', () => {
    const row = '0199c2f4-0000-7000-8000-000000000001';
    const text = shown({ table: 'events', column: null, kind: 'unprovable', reason: 'RangeError', row: `${row}/3` });
    expect(JSON.parse(text)).toMatchObject({
      reason: 'RangeError',
      row: `${row}/3`,
      where: 'default:retail_orders:s-1',
    });
  });
});
