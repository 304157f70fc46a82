import { describe, expect, it } from '@jest/globals';
import { execution, structured } from './execution-sketch.features.ts';
import { readToolResult } from './read-tool-result.ts';

const items = [
  { id: '1001', label: 'Produto A' },
  { id: '1002', label: 'Produto B' },
  { id: '1003', label: 'Produto C' },
];

function cancel(flags: readonly boolean[]): ReturnType<typeof readToolResult> {
  const results = flags.map((success, at) => ({
    name: items[at]?.label,
    success,
    ...(success ? {} : { error: 'not_found' }),
  }));
  return readToolResult(execution({ tool: 'cancelar_produtos', items, outcome: structured({ results }) }));
}

describe('seeds/001 "Resultado MCP esperado"', () => {
  it('reads PARTIAL_SUCCESS, 2 succeeded, 1 failed out of the example', () => {
    const result = cancel([true, false, true]);
    expect(result.metadata?.multi_item).toEqual({
      status: 'PARTIAL_SUCCESS',
      items_count: 3,
      items_succeeded_count: 2,
      items_failed_count: 1,
      items_unknown_count: 0,
      primary_tool: 'cancelar_produtos',
    });
  });

  it('gives the canonical id to an entry that only carries the name', () => {
    expect(cancel([true, false, true]).items).toMatchObject([
      { id: '1001', label: 'Produto A', outcome: 'succeeded' },
      { id: '1002', label: 'Produto B', outcome: 'failed', reason: 'not_found' },
      { id: '1003', label: 'Produto C', outcome: 'succeeded' },
    ]);
  });
});

describe('seeds/001 table "Estados possíveis"', () => {
  it.each([
    ['todos concluídos', [true, true, true], 'SUCCESS'],
    ['alguns concluídos e alguns falharam', [true, false, true], 'PARTIAL_SUCCESS'],
    ['todos falharam', [false, false, false], 'FAILED'],
  ])('%s', (_, flags, status) => {
    expect(cancel(flags).multi_item_status).toBe(status);
  });
});

describe('seeds/001 "Workflow-backed tools"', () => {
  it('tells the primary operation from auxiliary steps', () => {
    const results = items.map(({ label }) => ({ name: label, success: true }));
    const output = { cancelar_produtos: { results }, notificar: { success: false, error: 'smtp down' } };
    const result = readToolResult(
      execution({
        tool: 'cancelar_produtos',
        items,
        outcome: { kind: 'http_error', status: 502, body: '' },
        workflow: { output },
      }),
    );
    expect(result).toMatchObject({ ok: true, outcome: 'SUCCESS', secondary_error: { errorCategory: 'transient' } });
  });
});
