import { describe, expect, it } from '@jest/globals';
import { answer, execution, structured, text } from './execution-sketch.features.ts';
import { readToolResult } from './read-tool-result.ts';

const mixed = {
  results: [
    { subject: 'TIM Fashion Mensal', success: true },
    { subject: 'Aya Audiobooks Premium', success: false, reason: 'not_found' },
    { subject: 'Neymar Jr', success: true },
  ],
};
const asked = ['TIM Fashion Mensal', 'Aya Audiobooks Premium', 'Neymar Jr'];
const vas = { tool: 'cancelar_vas_avulso' };

describe('seeds/000 section 3, pre-validation', () => {
  it('keeps eligible: false a decision and not a failure', () => {
    const result = readToolResult(
      execution({
        purpose: 'pre_validation',
        operation: 'read_only',
        outcome: structured({ eligible: false, reason: 'nenhum item' }),
      }),
    );
    expect(result).toMatchObject({ ok: true, outcome: 'SUCCESS', error: null, data: { eligible: false } });
  });

  it('keeps the state of each item of a partly eligible validation as data', () => {
    const decision = {
      eligible: true,
      status: 'PARTIALLY_ELIGIBLE',
      transaction_decision: {
        resolved_arguments: {
          items: [
            { name: 'TIM Fashion Mensal', eligible: true },
            { name: 'Aya Audiobooks Premium', eligible: false, reason: 'item_nao_encontrado' },
          ],
        },
      },
    };
    const result = readToolResult(
      execution({ purpose: 'pre_validation', operation: 'read_only', outcome: structured(decision) }),
    );
    expect(result).toMatchObject({ ok: true, data: decision, multi_item_status: null });
  });

  it('does not turn a validator that failed into eligible: false', () => {
    const result = readToolResult(
      execution({ purpose: 'pre_validation', operation: 'read_only', outcome: text('timeout', true) }),
    );
    expect(result).toMatchObject({
      ok: false,
      outcome: 'FAILED',
      error: { errorCategory: 'transient', isRetryable: true },
    });
    expect(JSON.stringify(result.data)).not.toContain('eligible');
  });
});

describe('seeds/000 section 5, the contract per item', () => {
  it('recognizes results of two or more entries with success', () => {
    const result = readToolResult(execution({ ...vas, items: asked, outcome: structured(mixed) }));
    expect(result).toMatchObject({ ok: true, outcome: 'PARTIAL_SUCCESS', multi_item_status: 'PARTIAL_SUCCESS' });
    expect(result.items?.map(({ id, outcome, reason }) => [id, outcome, reason])).toEqual([
      ['TIM Fashion Mensal', 'succeeded', null],
      ['Aya Audiobooks Premium', 'failed', 'not_found'],
      ['Neymar Jr', 'succeeded', null],
    ]);
  });

  it('recognizes ok in the place of success', () => {
    const results = [
      { id: 'A', ok: true },
      { id: 'B', ok: false },
    ];
    expect(readToolResult(execution({ outcome: structured({ results }) })).multi_item_status).toBe('PARTIAL_SUCCESS');
  });

  it('takes a list without flags for data', () => {
    const results = [
      { id: 'P-1', status: 'paid' },
      { id: 'P-2', status: 'open' },
    ];
    const result = readToolResult(execution({ operation: 'read_only', outcome: structured({ results }) }));
    expect(result).toMatchObject({ ok: true, multi_item_status: null, data: { results } });
    expect(result.items).toBeUndefined();
  });

  it('takes any other list with flags for data', () => {
    const result = readToolResult(
      execution({ operation: 'read_only', outcome: structured({ orders: mixed.results }) }),
    );
    expect(result).toMatchObject({ ok: true, multi_item_status: null });
  });

  it('does not call one entry multi-item and still lets its flag decide', () => {
    const one = { results: [{ id: 'A', success: false, reason: 'not_found' }] };
    const result = readToolResult(execution({ items: ['A'], outcome: structured(one) }));
    expect(result).toMatchObject({ ok: false, outcome: 'FAILED', multi_item_status: null, metadata: {} });
    expect(result.items).toMatchObject([{ id: 'A', outcome: 'failed', reason: 'not_found' }]);
  });

  it.each([
    ['success', 'protocol', 'P-9'],
    ['ok', 'operation_id', 'P-9'],
    ['success', 'protocolo', 'P-9'],
  ])('keeps the domain fields of an entry (%s, %s)', (flag, name, protocol) => {
    const results = [
      { id: 'A', [flag]: true, [name]: protocol, extra: 1 },
      { id: 'B', [flag]: true },
    ];
    const [first] = readToolResult(execution({ outcome: structured({ results }) })).items ?? [];
    expect(first).toMatchObject({ protocol, data: { extra: 1 } });
  });
});

describe('seeds/000 section 5, the order of sources', () => {
  const other = {
    results: [
      { subject: 'X', success: false },
      { subject: 'Y', success: false },
    ],
  };

  it('prefers workflow.output[tool_name].results to everything else', () => {
    const sketch = {
      ...vas,
      outcome: structured(other),
      workflow: { output: { cancelar_vas_avulso: mixed, notificar: other } },
    };
    expect(readToolResult(execution(sketch)).multi_item_status).toBe('PARTIAL_SUCCESS');
  });

  it('finds the workflow output inside the answer of the tool', () => {
    const body = { workflow: { output: { cancelar_vas_avulso: mixed, notificar: other } } };
    expect(readToolResult(execution({ ...vas, outcome: text(JSON.stringify(body)) })).multi_item_status).toBe(
      'PARTIAL_SUCCESS',
    );
  });

  it('ignores the results of an auxiliary step', () => {
    const sketch = {
      ...vas,
      operation: 'read_only',
      outcome: structured({ done: 3 }),
      workflow: { output: { notificar: other } },
    };
    expect(readToolResult(execution(sketch))).toMatchObject({ ok: true, multi_item_status: null });
  });

  it('prefers structured content to JSON text', () => {
    const outcome = answer({ structuredContent: mixed, content: [{ type: 'text', text: JSON.stringify(other) }] });
    expect(readToolResult(execution({ ...vas, outcome })).multi_item_status).toBe('PARTIAL_SUCCESS');
  });

  it('reads JSON text where nothing better is there', () => {
    expect(readToolResult(execution({ ...vas, outcome: text(JSON.stringify(mixed)) })).multi_item_status).toBe(
      'PARTIAL_SUCCESS',
    );
  });
});

describe('seeds/000 section 6, what the framework produces', () => {
  it.each([
    ['all concluded', [true, true, true], 'SUCCESS', 3, 0],
    ['some concluded and some failed', [true, false, true], 'PARTIAL_SUCCESS', 2, 1],
    ['all failed', [false, false, false], 'FAILED', 0, 3],
  ])('%s', (_, flags, status, succeeded, failed) => {
    const results = flags.map((success, at) => ({ subject: asked[at], success }));
    const result = readToolResult(execution({ ...vas, items: asked, outcome: structured({ results }) }));
    expect(result).toMatchObject({
      outcome: status,
      ok: succeeded > 0,
      multi_item_status: status,
      partial_success: status === 'PARTIAL_SUCCESS',
      metadata: {
        multi_item: {
          status,
          items_count: 3,
          items_succeeded_count: succeeded,
          items_failed_count: failed,
          primary_tool: 'cancelar_vas_avulso',
        },
      },
    });
  });

  it('keeps the items when the wrapper fails afterwards', () => {
    const outcome = structured({ ...mixed, error: 'notification step failed: timeout' }, true);
    const result = readToolResult(execution({ ...vas, items: asked, outcome }));
    expect(result).toMatchObject({ ok: true, outcome: 'PARTIAL_SUCCESS', error: null });
    expect(result.secondary_error?.message).toContain('notification step failed');
  });

  it('keeps the items of the primary step when a later step never answers', () => {
    const outcome = { kind: 'timeout', timeout_ms: 1000, sent: true };
    const result = readToolResult(
      execution({ ...vas, items: asked, outcome, workflow: { output: { cancelar_vas_avulso: mixed } } }),
    );
    expect(result).toMatchObject({ outcome: 'PARTIAL_SUCCESS', secondary_error: { code: 'tool.timeout' } });
  });

  it('keeps a primary step of one item that ended well', () => {
    const outcome = { kind: 'http_error', status: 500, body: '' };
    const workflow = { output: { cancelar_vas_avulso: { success: true, protocol: 'P-1' } } };
    const result = readToolResult(execution({ ...vas, items: ['A'], outcome, workflow }));
    expect(result).toMatchObject({ ok: true, outcome: 'SUCCESS', secondary_error: { code: 'tool.http_error' } });
    expect(result.items).toMatchObject([{ id: 'A', outcome: 'succeeded', protocol: 'P-1' }]);
  });
});

describe('seeds/000 section 7, what not to do', () => {
  it('does not take one global boolean for the verdict over several items', () => {
    const outcome = structured({ approved: false, error: 'um item falhou' });
    const result = readToolResult(execution({ ...vas, items: asked, outcome }));
    expect(result).toMatchObject({ ok: false, outcome: 'UNKNOWN', multi_item_status: null });
    expect(result.items?.map(({ outcome: verdict }) => verdict)).toEqual(['unknown', 'unknown', 'unknown']);
    expect(result.contract_warnings).toHaveLength(1);
  });
});

describe('seeds/000 section 8, the scalar pattern', () => {
  it('takes the entries for the items where the tool expanded one expression', () => {
    const items = [{ id: 'subject', label: 'TIM Fashion, Aya Audiobooks, Neymar Jr' }];
    const result = readToolResult(execution({ ...vas, items, outcome: structured(mixed) }));
    expect(result).toMatchObject({
      multi_item_status: 'PARTIAL_SUCCESS',
      metadata: { multi_item: { items_count: 3 } },
    });
  });

  it('needs no items to be asked at all', () => {
    const result = readToolResult(execution({ ...vas, outcome: structured(mixed) }));
    expect(result).toMatchObject({
      metadata: { multi_item: { items_count: 3, items_succeeded_count: 2, items_failed_count: 1 } },
    });
  });
});

describe('seeds/000 section 9, the batch pattern', () => {
  it('matches entries by order_id, in any order', () => {
    const results = [
      { order_id: 'P-102', success: true },
      { order_id: 'P-100', success: true },
      { order_id: 'P-101', success: false, reason: 'already_shipped' },
    ];
    const result = readToolResult(execution({ items: ['P-100', 'P-101', 'P-102'], outcome: structured({ results }) }));
    expect(result.items?.map(({ id, outcome, reason }) => [id, outcome, reason])).toEqual([
      ['P-100', 'succeeded', null],
      ['P-101', 'failed', 'already_shipped'],
      ['P-102', 'succeeded', null],
    ]);
  });
});

describe('seeds/000 section 10, every operation type can be multi-item', () => {
  it.each(['read_only', 'conversational', 'transactional', 'internal'])('%s', (operation) => {
    const result = readToolResult(execution({ ...vas, operation, items: asked, outcome: structured(mixed) }));
    expect(result.metadata?.multi_item).toMatchObject({ status: 'PARTIAL_SUCCESS', items_count: 3 });
  });
});

describe('seeds/000 section 12, the checklist', () => {
  it.each([
    ['all succeeded', [true, true], undefined, 'SUCCESS'],
    ['partial', [true, false], undefined, 'PARTIAL_SUCCESS'],
    ['all failed', [false, false], undefined, 'FAILED'],
    ['an auxiliary failure afterwards', [true, true], 'audit step failed', 'SUCCESS'],
  ])('%s', (_, flags, error, status) => {
    const results = flags.map((success, at) => ({ id: `I${at}`, success }));
    const result = readToolResult(execution({ outcome: structured({ results, error }, error !== undefined) }));
    expect(result.multi_item_status).toBe(status);
    expect(result.secondary_error === null).toBe(error === undefined);
  });
});
