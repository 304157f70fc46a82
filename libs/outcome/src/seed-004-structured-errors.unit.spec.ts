import { describe, expect, it } from '@jest/globals';
import { classifyError } from './classify-error.ts';
import { toClaudeToolResult, toMcpCallToolResult, toOpenAiToolMessage } from './emit-tool-result.ts';
import { answer, execution, structured, text } from './execution-sketch.features.ts';
import { readToolResult } from './read-tool-result.ts';

const read = { tool: 'list_orders', operation: 'read_only' };
const pageThree = {
  errorCategory: 'transient',
  isRetryable: true,
  message: 'Upstream timeout apos 10s na pagina 3 de 5.',
  attempted: 'GET /orders?page=3',
  partialResults: [{ order_id: 'ORD-1' }, { order_id: 'ORD-2' }],
};

describe('seeds/004 "Sinalizando erro"', () => {
  it('reads the MCP example: isError with JSON text', () => {
    const message = { errorCategory: 'transient', isRetryable: true, message: 'Upstream API timeout apos 10s' };
    expect(readToolResult(execution({ ...read, outcome: text(JSON.stringify(message), true) }))).toMatchObject({
      ok: false,
      error: message,
    });
  });

  it('writes the Claude example: is_error in snake case, absent on success', () => {
    const failed = readToolResult(execution({ ...read, outcome: text("Error: cidade 'xyz' nao encontrada.", true) }));
    const block = toClaudeToolResult(failed, 'toolu_01ABC');
    expect(block).toMatchObject({ type: 'tool_result', tool_use_id: 'toolu_01ABC', is_error: true });
    expect(block).not.toHaveProperty('isError');
    expect(JSON.parse(block.content)).toMatchObject({ errorCategory: 'validation', isRetryable: false });
    const found = readToolResult(execution({ ...read, outcome: structured({ orders: [{ id: 1 }] }) }));
    expect(toClaudeToolResult(found, 'toolu_1')).not.toHaveProperty('is_error');
  });

  it('writes MCP with isError in camel case, absent on success', () => {
    const failed = toMcpCallToolResult(readToolResult(execution({ ...read, outcome: structured(pageThree, true) })));
    expect(failed.isError).toBe(true);
    expect(failed).not.toHaveProperty('is_error');
    expect(JSON.parse(failed.content[0].text)).toMatchObject(pageThree);
    const found = toMcpCallToolResult(readToolResult(execution({ ...read, outcome: structured({ orders: [1] }) })));
    expect(found).toEqual({ content: [{ type: 'text', text: '{"orders":[1]}' }], structuredContent: { orders: [1] } });
  });

  it('writes an OpenAI tool message that says in its content whether it is ok', () => {
    const failed = readToolResult(execution({ ...read, outcome: structured(pageThree, true) }));
    const message = toOpenAiToolMessage(failed, 'call_1');
    expect(message).toMatchObject({ role: 'tool', tool_call_id: 'call_1' });
    expect(JSON.parse(message.content)).toMatchObject({ ok: false, ...pageThree });
  });
});

describe('seeds/004 "Categorias de erro e retryability"', () => {
  it.each([
    ['transient', true],
    ['validation', false],
    ['business', false],
    ['permission', false],
  ])('%s is retryable: %s', (errorCategory, isRetryable) => {
    const outcome = structured({ errorCategory, message: 'x' }, true);
    expect(readToolResult(execution({ ...read, outcome })).error).toMatchObject({ errorCategory, isRetryable });
  });

  it('never lets a tool promise a retry outside of transient', () => {
    const outcome = structured({ errorCategory: 'validation', isRetryable: true, message: 'x' }, true);
    expect(readToolResult(execution({ ...read, outcome })).error?.isRetryable).toBe(false);
  });

  it('lets a tool forbid the retry of a transient error', () => {
    const outcome = structured({ errorCategory: 'transient', isRetryable: false, message: 'x' }, true);
    expect(readToolResult(execution({ ...read, outcome })).error?.isRetryable).toBe(false);
  });

  it('leaves "Operation failed" unclassified and unretried instead of guessing', () => {
    expect(readToolResult(execution({ ...read, outcome: text('Operation failed', true) })).error).toMatchObject({
      code: 'tool.unclassified',
      errorCategory: 'business',
      isRetryable: false,
    });
  });
});

describe('seeds/004 "Falha de acesso ≠ resultado vazio"', () => {
  it.each([
    ['the example with a note', structured({ results: [], note: '0 pedidos no período' }), '0 pedidos no período'],
    ['an empty list', text('[]'), 'list_orders executed, count 0'],
    ['executed, count 0', structured({ executed: true, count: 0 }), 'list_orders executed, count 0'],
    ['no content', answer({ content: [] }), 'list_orders executed, count 0'],
  ])('%s is a success that says so', (_, outcome, note) => {
    expect(readToolResult(execution({ ...read, outcome }))).toMatchObject({
      ok: true,
      outcome: 'SUCCESS',
      empty: true,
      note,
      error: null,
    });
  });

  it.each([
    ['time-out', { kind: 'timeout', timeout_ms: 10, sent: true }],
    ['refused connection', { kind: 'transport_error', code: 'ECONNREFUSED', message: 'connect', sent: false }],
    ['isError', text('Upstream API timeout', true)],
    ['an empty list under isError', structured({ results: [], message: 'upstream timeout' }, true)],
  ])('%s is an error with a category, never an empty list', (_, outcome) => {
    const result = readToolResult(execution({ ...read, outcome }));
    expect(result).toMatchObject({ ok: false, outcome: 'FAILED', empty: false, error: { errorCategory: 'transient' } });
  });

  it('writes the empty answer of the example', () => {
    const result = readToolResult(execution({ ...read, outcome: text('[]') }));
    expect(JSON.parse(toClaudeToolResult(result, 't').content)).toEqual({
      results: [],
      note: 'list_orders executed, count 0',
    });
  });
});

describe('seeds/004 "Recuperação local vs propagação"', () => {
  it('passes on what was tried, the partial results and the alternatives', () => {
    const error = readToolResult(execution({ ...read, outcome: structured(pageThree, true) })).error;
    expect(error).toMatchObject({ attempted: 'GET /orders?page=3', partialResults: pageThree.partialResults });
    expect(error?.alternatives).not.toHaveLength(0);
  });

  it('says the tool and the attempts where the tool does not', () => {
    const outcome = { kind: 'http_error', status: 503, body: '' };
    const attempt = { number: 1, started_at: '2026-11-30T12:00:00Z', outcome };
    const sketch = { ...read, outcome, attempts: [attempt, { ...attempt, number: 2 }, { ...attempt, number: 3 }] };
    expect(readToolResult(execution(sketch)).error).toMatchObject({
      attempted: 'list_orders, 3 attempts',
      partialResults: [],
    });
  });
});

describe('seeds/004 "Pegadinhas da prova"', () => {
  it('does not mask a time-out as an empty list', () => {
    const outcome = { kind: 'timeout', timeout_ms: 10_000, sent: true };
    expect(classifyError({ kind: 'timeout', timeout_ms: 10_000, sent: true })).toMatchObject({ code: 'tool.timeout' });
    expect(readToolResult(execution({ ...read, outcome })).ok).toBe(false);
  });

  it('keeps a validation error correctable: not retryable with the same input, and it says which value', () => {
    const outcome = structured(
      { errorCategory: 'validation', message: 'formato inválido', parameter: 'order_id' },
      true,
    );
    expect(readToolResult(execution({ ...read, outcome })).error).toMatchObject({
      isRetryable: false,
      parameter: 'order_id',
      alternatives: ['Correct the value and call again.'],
    });
  });
});

describe('seeds/004 "Construindo o tool_result estruturado em Python"', () => {
  it('gives the rows of an answer that has some, without an error flag', () => {
    const rows = [{ order_id: 'ORD-1' }, { order_id: 'ORD-2' }];
    const block = toClaudeToolResult(
      readToolResult(execution({ ...read, outcome: structured({ results: rows }) })),
      'toolu_01XYZ',
    );
    expect(block).not.toHaveProperty('is_error');
    expect(JSON.parse(block.content)).toEqual({ results: rows });
  });

  it('says of an empty answer that it was executed and found 0', () => {
    const note = 'Consulta executada com sucesso: 0 registros no periodo.';
    const block = toClaudeToolResult(
      readToolResult(execution({ ...read, outcome: structured({ results: [], note }) })),
      'toolu_01XYZ',
    );
    expect(block).not.toHaveProperty('is_error');
    expect(JSON.parse(block.content)).toEqual({ results: [], note });
  });

  it('gives category, retryability, message, what was attempted and the partial results of a failure', () => {
    const block = toClaudeToolResult(
      readToolResult(execution({ ...read, outcome: structured(pageThree, true) })),
      'toolu_01XYZ',
    );
    expect(block).toMatchObject({ type: 'tool_result', tool_use_id: 'toolu_01XYZ', is_error: true });
    expect(JSON.parse(block.content)).toMatchObject(pageThree);
  });
});

describe('seeds/004 "Pegadinhas da prova", the flow goes on', () => {
  it('makes a value of every failure, so that no handler at the top has to end the flow', () => {
    const outcomes = [
      { kind: 'lost', reason: 'crash' },
      { kind: 'transport_error', code: 'ECONNRESET', message: 'reset', sent: true },
      { kind: 'protocol_error', code: -32603, message: 'internal' },
      { kind: 'http_error', status: 500, body: '<html>' },
      { kind: 'result', result: { isError: true, content: [null, 1] } },
    ];
    for (const outcome of outcomes) {
      expect(readToolResult(execution({ ...read, outcome })).error?.alternatives).not.toHaveLength(0);
    }
  });
});
