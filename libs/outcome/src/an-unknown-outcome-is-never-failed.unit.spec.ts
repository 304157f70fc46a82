import { describe, expect, it } from '@jest/globals';
import { answer, execution, text } from './execution-sketch.features.ts';
import { readToolResult } from './read-tool-result.ts';

const at = '2026-11-30T12:00:00Z';
const timeout = { kind: 'timeout', timeout_ms: 1000, sent: true };
const refusedConnection = {
  kind: 'transport_error',
  code: 'ECONNREFUSED',
  message: 'connect ECONNREFUSED',
  sent: false,
};
const open: readonly (readonly [string, unknown])[] = [
  ['our deadline after sending', timeout],
  ['a connection lost after sending', { kind: 'transport_error', code: 'ECONNRESET', message: 'x', sent: true }],
  ['an answer over the byte limit', { kind: 'transport_error', code: 'result_too_large', message: 'x', sent: true }],
  ['an answer that is no MCP', { kind: 'transport_error', code: 'result_unreadable', message: 'x', sent: true }],
  ['HTTP 500', { kind: 'http_error', status: 500, body: '' }],
  ['HTTP 502', { kind: 'http_error', status: 502, body: '' }],
  ['HTTP 503', { kind: 'http_error', status: 503, body: '' }],
  ['HTTP 504', { kind: 'http_error', status: 504, body: '' }],
  ['a JSON-RPC internal error', { kind: 'protocol_error', code: -32603, message: 'Internal error' }],
  ['a JSON-RPC closed connection', { kind: 'protocol_error', code: -32000, message: 'Connection closed' }],
  ['a crash', { kind: 'lost', reason: 'restart' }],
  ['a tool whose own upstream timed out', text('upstream timed out', true)],
];
const certain: readonly (readonly [string, unknown])[] = [
  ['a refused connection', refusedConnection],
  ['our deadline before sending', { ...timeout, sent: false }],
  [
    'a refusal of the executor',
    { kind: 'refused', error: { errorCategory: 'permission', isRetryable: false, message: 'x' } },
  ],
  ['HTTP 503 to the handshake, before the call', { kind: 'http_error', status: 503, body: '', sent: false }],
  ['HTTP 400', { kind: 'http_error', status: 400, body: '' }],
  ['HTTP 429', { kind: 'http_error', status: 429, body: '' }],
  ['invalid arguments', { kind: 'protocol_error', code: -32602, message: 'x' }],
  ['a business error', text('not enough seats', true)],
  [
    'a tool that promises that a retry is safe',
    answer({ isError: true, structuredContent: { errorCategory: 'transient', isRetryable: true, message: 'timeout' } }),
  ],
];

describe('a mutating call', () => {
  it.each(open)('that ended in %s is UNKNOWN and not to be sent again', (_, outcome) => {
    const result = readToolResult(execution({ items: ['A', 'B'], outcome }));
    expect(result).toMatchObject({ ok: false, outcome: 'UNKNOWN', error: { isRetryable: false } });
    expect(result.items?.every((item) => item.outcome === 'unknown')).toBe(true);
  });

  it.each(certain)('that ended in %s has FAILED', (_, outcome) => {
    const result = readToolResult(execution({ items: ['A', 'B'], outcome }));
    expect(result.outcome).toBe('FAILED');
    expect(result.items?.every((item) => item.outcome === 'failed')).toBe(true);
  });

  it.each(certain.slice(0, 5))('of which an earlier attempt is open stays UNKNOWN after %s', (_, outcome) => {
    const attempts = [
      { number: 1, started_at: at, ended_at: at, outcome: timeout },
      { number: 2, started_at: at, ended_at: at, outcome },
    ];
    expect(readToolResult(execution({ outcome, attempts })).outcome).toBe('UNKNOWN');
  });

  it('of which an earlier attempt is open is cleared up by an answer of the tool', () => {
    const outcome = text('{"protocol":"P-1","status":"cancelled"}');
    const attempts = [
      { number: 1, started_at: at, outcome: timeout },
      { number: 2, started_at: at, outcome },
    ];
    expect(readToolResult(execution({ outcome, attempts })).outcome).toBe('SUCCESS');
  });

  it('of which an attempt crashed stays UNKNOWN although the next one was refused', () => {
    const attempts = [
      { number: 1, started_at: at },
      { number: 2, started_at: at, outcome: refusedConnection },
    ];
    expect(readToolResult(execution({ outcome: refusedConnection, attempts })).outcome).toBe('UNKNOWN');
  });

  it('without a declared operation type counts as mutating', () => {
    expect(readToolResult(execution({ operation: 'internal', outcome: timeout })).outcome).toBe('UNKNOWN');
  });

  it('declared idempotent may be sent again under its key and is still not FAILED', () => {
    expect(readToolResult(execution({ outcome: timeout, declaredIdempotent: true }))).toMatchObject({
      outcome: 'UNKNOWN',
      error: { isRetryable: true },
    });
  });
});

describe('a read', () => {
  it.each(open.slice(0, 10))('that ended in %s has FAILED: it had no effect to be unsure of', (_, outcome) => {
    expect(readToolResult(execution({ operation: 'read_only', outcome })).outcome).toBe('FAILED');
  });

  it('for pre-validation counts as one, whatever the tool may do', () => {
    expect(readToolResult(execution({ purpose: 'pre_validation', outcome: timeout })).outcome).toBe('FAILED');
  });
});
