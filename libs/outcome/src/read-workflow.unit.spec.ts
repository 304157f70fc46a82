import { describe, expect, it } from '@jest/globals';
import { answer, execution, structured } from './execution-sketch.features.ts';
import { readToolResult } from './read-tool-result.ts';

const results = [
  { id: 'A', success: true, protocol: 'P-1' },
  { id: 'B', success: false, reason: 'already_shipped' },
];
const smtp = { errorCategory: 'transient', isRetryable: true, message: 'smtp down', code: 'tool.error' };

type Sketch = Partial<Parameters<typeof execution>[0]>;

function run(primary: string, more: readonly object[], sketch: Sketch = {}): ReturnType<typeof readToolResult> {
  const steps = [
    { id: 'cancel', tool_name: 'cancel_one', primary: true, has_effect: true, state: primary },
    ...more.map((step, at) => ({ id: `s${at}`, tool_name: 'other', primary: false, has_effect: false, ...step })),
  ];
  const output = primary === 'skipped' ? {} : { cancel_services: { results } };
  return readToolResult(
    execution({ items: ['A', 'B'], outcome: answer({ content: [] }), workflow: { output, steps }, ...sketch }),
  );
}

describe('a workflow whose primary step ran', () => {
  it('is read by workflow.output[tool_name]', () => {
    expect(run('partly', [])).toMatchObject({
      outcome: 'PARTIAL_SUCCESS',
      secondary_error: null,
      items: [
        { id: 'A', outcome: 'succeeded', protocol: 'P-1' },
        { id: 'B', outcome: 'failed', reason: 'already_shipped' },
      ],
    });
  });

  it.each(['failed', 'unknown', 'partly'])('keeps its items when another step is %s, which is secondary', (state) => {
    expect(run('partly', [{ state, error: smtp }])).toMatchObject({
      outcome: 'PARTIAL_SUCCESS',
      error: null,
      secondary_error: { message: 'smtp down', errorCategory: 'transient' },
    });
  });

  it('is a success of one call although a later step failed, without any flag in the answer', () => {
    const result = run('succeeded', [{ state: 'failed', error: smtp }], {
      items: [],
      outcome: structured({ order_id: 'A', status: 'CANCELLED' }),
      workflow: {
        output: { cancel_services: { order_id: 'A', status: 'CANCELLED' } },
        steps: [
          { id: 'cancel', tool_name: 'x', primary: true, has_effect: true, state: 'succeeded' },
          { id: 'tell', tool_name: 'y', primary: false, has_effect: true, state: 'failed', error: smtp },
        ],
      },
    });
    expect(result).toMatchObject({ ok: true, outcome: 'SUCCESS', secondary_error: { message: 'smtp down' } });
  });

  it('is not made uncertain by a time-out of another step', () => {
    const timeout = { kind: 'timeout', timeout_ms: 10, sent: true };
    const at = { started_at: '2026-11-30T12:00:00Z' };
    const result = run('failed', [{ state: 'succeeded' }], {
      items: [],
      outcome: { kind: 'http_error', status: 422, body: 'no' },
      attempts: [
        { number: 1, ...at, step: 's0', outcome: timeout },
        { number: 2, ...at, step: 'cancel', outcome: { kind: 'http_error', status: 422, body: 'no' } },
      ],
      workflow: {
        output: {},
        steps: [{ id: 'cancel', tool_name: 'x', primary: true, has_effect: true, state: 'failed' }],
      },
    });
    expect(result.outcome).toBe('FAILED');
  });
});

describe('a workflow whose primary step never ran', () => {
  it('did nothing, for the reason of the step that kept it from running', () => {
    expect(run('skipped', [{ state: 'failed', error: { ...smtp, message: 'no such customer' } }])).toMatchObject({
      ok: false,
      outcome: 'FAILED',
      error: { message: 'no such customer' },
      items: [{ outcome: 'failed' }, { outcome: 'failed' }],
    });
  });

  it('is unknown where that step may have had an effect, and is not to be repeated', () => {
    expect(run('skipped', [{ state: 'unknown', has_effect: true, error: smtp }])).toMatchObject({
      outcome: 'UNKNOWN',
      error: { isRetryable: false, message: 'smtp down' },
      items: [{ outcome: 'unknown' }, { outcome: 'unknown' }],
    });
  });

  it('is not unknown where that step only reads', () => {
    expect(run('skipped', [{ state: 'unknown', has_effect: false, error: smtp }]).outcome).toBe('FAILED');
  });
});

describe('questions, schemas and the cache', () => {
  const asks = {
    kind: 'input_required',
    message: 'Qual é o motivo?',
    requestedSchema: { type: 'object', properties: { motivo: { type: 'string' } } },
  };

  it('a tool that asked and ended with an error did nothing, and says what is missing', () => {
    expect(readToolResult(execution({ items: ['A', 'B'], outcome: asks }))).toMatchObject({
      outcome: 'FAILED',
      error: { code: 'tool.input_required', errorCategory: 'validation', missing: ['motivo'], isRetryable: false },
    });
  });

  it('a tool that asked and went on is unknown, but for the items that its answer accounts for', () => {
    const silent = { ...asks, result: { content: [{ type: 'text', text: 'done' }] } };
    expect(readToolResult(execution({ items: ['A', 'B'], outcome: silent })).outcome).toBe('UNKNOWN');
    const accounts = { ...asks, result: { structuredContent: { results } } };
    expect(readToolResult(execution({ items: ['A', 'B'], outcome: accounts }))).toMatchObject({
      outcome: 'PARTIAL_SUCCESS',
      secondary_error: { code: 'tool.input_required' },
    });
  });

  it.each(['tool.schema_changed', 'tool.arguments_invalid'])('a refusal as %s is certain: nothing was sent', (code) => {
    const error = { errorCategory: 'validation', isRetryable: false, message: 'x', code, parameter: 'order_id' };
    expect(readToolResult(execution({ items: ['A', 'B'], outcome: { kind: 'refused', error } }))).toMatchObject({
      outcome: 'FAILED',
      error: { code, parameter: 'order_id', isRetryable: false },
    });
  });

  it('a success that breaks the output schema of its tool stays one, and the departure is told', () => {
    const outcome = {
      kind: 'result',
      result: { structuredContent: { done: 'yes' } },
      schema_problems: ['/done must be boolean'],
    };
    expect(readToolResult(execution({ outcome }))).toMatchObject({
      ok: true,
      contract_warnings: ['the answer breaks the output schema of the tool: /done must be boolean'],
    });
  });

  it('an answer from the cache is told as one', () => {
    const given = execution({ operation: 'read_only', outcome: structured({ orders: [1] }) });
    const cache = { hit: true, ttl_seconds: 30 };
    expect(readToolResult({ ...given, cache })).toMatchObject({ ok: true, cache, data: { orders: [1] } });
  });
});
