import { describe, expect, it } from '@jest/globals';
import { errorCatalogue, RawOutcome } from '@latch/contracts';
import { classifyError } from './classify-error.ts';

function classify(outcome: unknown): ReturnType<typeof classifyError> {
  return classifyError(RawOutcome.parse(outcome), { now: '2026-11-30T12:00:00Z' });
}

const failed = (words: string): unknown => ({
  kind: 'result',
  result: { isError: true, content: [{ type: 'text', text: words }] },
});

describe('the words of an error', () => {
  it.each([
    // pt-BR, en and es, as domain servers write them
    ['Tempo limite excedido ao consultar o sistema legado', 'transient'],
    ['Serviço temporariamente indisponível, tente novamente mais tarde', 'transient'],
    ['connection reset by peer', 'transient'],
    ['upstream unavailable', 'transient'],
    ['429 Too Many Requests', 'transient'],
    ['El servicio no responde: tiempo de espera agotado', 'transient'],
    ['Pedido não encontrado', 'validation'],
    ['item_nao_encontrado', 'validation'],
    ['O campo order_id é obrigatório', 'validation'],
    ['order_id must match ^PED-[0-9]{4,}$', 'validation'],
    ['Formato inválido para a data', 'validation'],
    ['Número de pedido inválido', 'validation'],
    ['No existe el pedido', 'validation'],
    ['Saldo insuficiente', 'business'],
    ['O pedido já foi entregue', 'business'],
    ['Este serviço não pode ser cancelado durante a fidelidade', 'business'],
    ['item out of stock', 'business'],
    ['Order is locked by another process of the shop', 'business'],
    ['Acesso negado ao contrato', 'permission'],
    ['Usuário sem permissão para esta linha', 'permission'],
    ['401 Unauthorized', 'permission'],
    ['Insufficient permissions for this account', 'permission'],
    ['Your token has expired', 'permission'],
  ])('%s: %s', (words, category) => {
    expect(classify(failed(words))).toMatchObject({ errorCategory: category, isRetryable: category === 'transient' });
  });

  it.each(['kaboom', 'Operation failed', 'Error', '', 'undefined', '💥'])(
    '%j says nothing about why: unclassified, not retried',
    (words) => {
      expect(classify(failed(words))).toMatchObject({ code: 'tool.unclassified', isRetryable: false });
    },
  );
});

describe('the shapes of an error object', () => {
  it.each([
    ['the structured error itself', { errorCategory: 'permission', message: 'no' }, 'permission', 'no'],
    ['under error', { error: { errorCategory: 'business', message: 'no' } }, 'business', 'no'],
    ['error as text', { error: 'order not found' }, 'validation', 'order not found'],
    [
      'problem+json',
      { type: 'about:blank', title: 'Forbidden', status: 403, detail: 'not yours' },
      'permission',
      'not yours',
    ],
    ['a gRPC status', { code: 'RESOURCE_EXHAUSTED', message: 'slow down' }, 'transient', 'slow down'],
    ['an SQLSTATE', { sqlstate: '23505', message: 'duplicate key' }, 'business', 'duplicate key'],
    ['a socket code', { code: 'ECONNRESET', message: 'read' }, 'transient', 'read'],
    ['a JSON-RPC code', { code: -32602, message: 'bad' }, 'validation', 'bad'],
    ['GraphQL errors', { data: null, errors: [{ message: 'not enough seats' }] }, 'business', 'not enough seats'],
    ['snake case', { error_category: 'validation', is_retryable: true, message: 'no' }, 'validation', 'no'],
    ['Portuguese members', { mensagem: 'Pedido não encontrado' }, 'validation', 'Pedido não encontrado'],
  ])('%s', (_, body, category, message) => {
    const outcomes = [
      { structuredContent: body, isError: true },
      { content: [{ type: 'text', text: JSON.stringify(body) }], isError: true },
    ];
    for (const result of outcomes) {
      expect(classify({ kind: 'result', result })).toMatchObject({ errorCategory: category, message });
    }
  });

  it('with a category that is none of the four is unclassified', () => {
    expect(
      classify({
        kind: 'result',
        result: { structuredContent: { errorCategory: 'cosmic', message: 'x' }, isError: true },
      }),
    ).toMatchObject({
      code: 'tool.unclassified',
    });
  });

  it('with junk JSON is read as text', () => {
    expect(classify(failed('{"errorCategory": "transient", '))).toMatchObject({ isRetryable: false });
  });

  it('passes on the wait that the tool names', () => {
    const body = { errorCategory: 'transient', message: 'x', retry_after: 2.5 };
    expect(classify({ kind: 'result', result: { structuredContent: body, isError: true } }).retryAfterMs).toBe(2500);
  });
});

describe('JSON-RPC errors', () => {
  it.each([
    [-32700, 'Parse error', 'validation', 'tool.protocol_error'],
    [-32600, 'Invalid Request', 'validation', 'tool.protocol_error'],
    [-32601, 'Method not found', 'validation', 'tool.protocol_error'],
    [-32602, 'x', 'validation', 'tool.protocol_error'],
    [-32603, 'Internal error', 'business', 'tool.unclassified'],
    [-32603, 'upstream timed out', 'transient', 'tool.protocol_error'],
    [-32001, 'Request timed out', 'transient', 'tool.protocol_error'],
    [-32000, 'Connection closed', 'transient', 'tool.protocol_error'],
    [4711, 'own code', 'business', 'tool.unclassified'],
  ])('%i %s: %s', (code, message, errorCategory, errorCode) => {
    expect(classify({ kind: 'protocol_error', code, message })).toMatchObject({ errorCategory, code: errorCode });
  });

  it('reads a structured error in data before its own message', () => {
    const data = { errorCategory: 'permission', message: 'not yours' };
    expect(classify({ kind: 'protocol_error', code: -32603, message: 'Internal error', data })).toMatchObject({
      errorCategory: 'permission',
      message: 'not yours',
    });
  });
});

describe('HTTP answers', () => {
  it.each([
    [400, 'validation', false],
    [401, 'permission', false],
    [403, 'permission', false],
    [404, 'business', false],
    [408, 'transient', true],
    [409, 'business', false],
    [413, 'validation', false],
    [422, 'validation', false],
    [425, 'transient', true],
    [429, 'transient', true],
    [500, 'transient', true],
    [501, 'business', false],
    [502, 'transient', true],
    [503, 'transient', true],
    [504, 'transient', true],
    [302, 'business', false],
    [200, 'business', false],
  ])('%i: %s, retryable %s', (status, errorCategory, isRetryable) => {
    expect(classify({ kind: 'http_error', status, body: '' })).toMatchObject({ errorCategory, isRetryable });
  });

  it('does not pass on an HTML page', () => {
    expect(
      classify({ kind: 'http_error', status: 502, body: '<html><body>Bad Gateway nginx/1.2</body></html>' }).message,
    ).toBe('HTTP 502.');
  });

  it('honors Retry-After only where a retry is allowed', () => {
    expect(classify({ kind: 'http_error', status: 503, body: '', retry_after: '3' }).retryAfterMs).toBe(3000);
    expect(classify({ kind: 'http_error', status: 400, body: '', retry_after: '3' }).retryAfterMs).toBeUndefined();
  });
});

describe('connections and our own deadline', () => {
  it.each([
    [
      'refused before sending',
      { kind: 'transport_error', code: 'ECONNREFUSED', message: 'x', sent: false },
      'tool.unreachable',
      true,
    ],
    [
      'lost after sending',
      { kind: 'transport_error', code: 'ECONNRESET', message: 'x', sent: true },
      'tool.connection_lost',
      true,
    ],
    [
      'a bad certificate',
      { kind: 'transport_error', code: 'CERT_HAS_EXPIRED', message: 'x', sent: false },
      'tool.unreachable',
      false,
    ],
    [
      'too large',
      { kind: 'transport_error', code: 'result_too_large', message: 'x', sent: true },
      'tool.result_too_large',
      false,
    ],
    [
      'no MCP',
      { kind: 'transport_error', code: 'result_unreadable', message: 'x', sent: true },
      'tool.result_unreadable',
      false,
    ],
    [
      'no MCP in answer to the handshake',
      { kind: 'transport_error', code: 'result_unreadable', message: 'x', sent: false },
      'tool.unreachable',
      true,
    ],
    [
      'a foreign origin',
      { kind: 'transport_error', code: 'origin_not_allowed', message: 'x', sent: false },
      'tool.not_allowed',
      false,
    ],
    ['the deadline', { kind: 'timeout', timeout_ms: 5, sent: true }, 'tool.timeout', true],
    ['a crash', { kind: 'lost', reason: 'executor restarted' }, 'tool.outcome_lost', false],
  ])('%s', (_, outcome, code, isRetryable) => {
    expect(classify(outcome)).toMatchObject({ code, isRetryable });
  });

  it('passes a refusal of the executor on as it is', () => {
    const error = { errorCategory: 'permission', isRetryable: false, message: 'not enabled', code: 'tool.not_allowed' };
    expect(classify({ kind: 'refused', error })).toEqual(error);
  });

  it('gives only codes of the catalogue', () => {
    const outcomes = [failed('x'), { kind: 'lost', reason: 'x' }, { kind: 'http_error', status: 299, body: '' }];
    for (const outcome of outcomes) expect(Object.keys(errorCatalogue)).toContain(classify(outcome).code);
  });
});
