import { describe, expect, it } from '@jest/globals';
import { type ToolResult } from '@latch/contracts';
import { execution, structured } from './execution-sketch.features.ts';
import { readToolResult } from './read-tool-result.ts';

const asked = ['A', 'B', 'C'];

function read(results: readonly unknown[]): ToolResult {
  return readToolResult(execution({ items: asked, outcome: structured({ results }) }));
}

function outcomes(result: ToolResult): readonly (readonly [string, string])[] {
  return (result.items ?? []).map(({ id, outcome }) => [id, outcome] as const);
}

const all = (outcome: string): readonly (readonly [string, string])[] => asked.map((id) => [id, outcome] as const);
const done = (id: string): object => ({ id, success: true });

/** The row of issue 6's fault table about results: counts add up, nothing is invented, each policy is the one of docs/reference/tool-results.md. */
describe('results that depart from what was asked', () => {
  it.each<readonly [string, readonly unknown[], readonly (readonly [string, string])[]]>([
    [
      'with one item: the others are unknown',
      [done('A')],
      [
        ['A', 'succeeded'],
        ['B', 'unknown'],
        ['C', 'unknown'],
      ],
    ],
    [
      'with fewer than asked: the missing one is unknown',
      [done('A'), done('B')],
      [
        ['A', 'succeeded'],
        ['B', 'succeeded'],
        ['C', 'unknown'],
      ],
    ],
    ['with duplicates that agree: each counts once', [...asked.map(done), done('A')], all('succeeded')],
    [
      'with duplicates that disagree: that one is unknown',
      [...asked.map(done), { id: 'A', success: false }],
      [
        ['A', 'unknown'],
        ['B', 'succeeded'],
        ['C', 'succeeded'],
      ],
    ],
    ['with more than asked: the stranger is not counted', [...asked.map(done), done('D')], all('succeeded')],
    [
      'with booleans as words: read as what they say',
      [{ id: 'A', success: 'true' }, { id: 'B', success: 'false' }, done('C')],
      [
        ['A', 'succeeded'],
        ['B', 'failed'],
        ['C', 'succeeded'],
      ],
    ],
    [
      'with ok and success that disagree: that one is unknown',
      [{ id: 'A', ok: true, success: false }, done('B'), done('C')],
      [
        ['A', 'unknown'],
        ['B', 'succeeded'],
        ['C', 'succeeded'],
      ],
    ],
    [
      'in another order: matched by name, told in the order asked',
      [done('C'), done('A'), { id: 'B', ok: false }],
      [
        ['A', 'succeeded'],
        ['B', 'failed'],
        ['C', 'succeeded'],
      ],
    ],
    ['nested: not looked into, nothing is claimed', [{ id: 'A', results: asked.map(done) }], all('unknown')],
    ['empty: nothing is claimed', [], all('unknown')],
    ['with truthy flags: no flag at all', asked.map((id) => ({ id, success: 1 })), all('unknown')],
  ])('%s', (_, results, expected) => {
    const result = read(results);
    expect(outcomes(result)).toEqual(expected);
    const counts = result.metadata?.multi_item;
    if (counts !== undefined) {
      const { items_succeeded_count: s, items_failed_count: f, items_unknown_count: u } = counts;
      expect(s + f + (u ?? 0)).toBe(counts.items_count);
    }
  });

  it('tells a stranger apart, and never in the name of an item', () => {
    expect(read([...asked.map(done), done('D')]).unrequested_items).toMatchObject([{ id: 'D', outcome: 'succeeded' }]);
  });
});
