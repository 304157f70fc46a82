import { describe, expect, it } from '@jest/globals';
import { isRecord, type ToolResult } from '@latch/contracts';
import { answer, execution, record, rowsOf } from './execution-sketch.features.ts';
import { readFileSync } from 'node:fs';
import { listOf } from './json-value.ts';
import { isUncertain } from './may-have-happened.ts';
import { readToolResult } from './read-tool-result.ts';

const rows = new Map(rowsOf('field-cases.jsonl').map((row) => [String(row.id), row]));

/** The outcome that the case's input is: an MCP answer in one of three spellings, a JSON-RPC error, an HTTP answer, a socket error. */
function outcomeOf(input: Record<string, unknown>): unknown {
  if (isRecord(input.result)) return answer(input.result);
  if (isRecord(input.tool_result))
    return answer(
      'structuredContent' in input.tool_result ? input.tool_result : { structuredContent: input.tool_result },
    );
  if (isRecord(input.jsonrpc_error)) return { kind: 'protocol_error', ...input.jsonrpc_error };
  if (isRecord(input.http)) return httpOutcome(input.http);
  return input;
}

function httpOutcome(http: Record<string, unknown>): unknown {
  const headers = isRecord(http.headers) ? http.headers : {};
  const body = http.body === undefined ? '' : JSON.stringify(http.body);
  return { kind: 'http_error', status: http.status, body, retry_after: headers['retry-after'] };
}

/** Runs a field case; `asOutcome` gives the outcome where the input is a story that libs/mcp has to tell first. */
function run(id: string, asOutcome?: unknown): ToolResult {
  const row = record(rows.get(id));
  const context = record(row.context);
  const tool = isRecord(context.tool)
    ? context.tool
    : { name: 'tool', operation_type: context.operation === 'read' ? 'read_only' : 'transactional' };
  const asked = listOf(context.requested_items).map((item) => String(record(item).id));
  const count = typeof context.requested_items_count === 'number' ? context.requested_items_count : 0;
  const items = asked.length > 0 ? asked : Array.from({ length: count }, (_, at) => `I${at + 1}`);
  const outcome = asOutcome ?? outcomeOf(record(row.input));
  const endedAt = typeof context.now === 'string' ? context.now : '2026-11-30T12:00:00Z';
  return readToolResult(
    execution({
      tool: String(tool.name),
      operation: String(tool.operation_type),
      items,
      outcome,
      attempts: [{ number: 1, started_at: endedAt, ended_at: endedAt, outcome }],
    }),
  );
}

describe('field cases: multi-item', () => {
  // Debatable. The body is a bulk answer of another contract: it is not taken for an account of the items, and not for a success either.
  it('vendor-bulk-shape: reports that the answer breaks the per-item contract', () => {
    const result = run('field-multi-item-001');
    expect(result).toMatchObject({ ok: false, outcome: 'UNKNOWN', multi_item_status: null });
    expect(result.contract_warnings).toHaveLength(1);
    expect(result.items?.map(({ outcome }) => outcome)).toEqual(['unknown', 'unknown']);
  });

  it('envelope-false-items-mixed: item evidence outranks the outer flag', () => {
    const result = run('field-multi-item-002');
    expect(result.metadata?.multi_item).toMatchObject({
      status: 'PARTIAL_SUCCESS',
      items_count: 3,
      items_succeeded_count: 2,
      items_failed_count: 1,
    });
    expect(result.secondary_error?.message).toContain('some actions failed');
  });

  // Debatable. C is unknown, and the aggregate says that not everything is done.
  it('missing-item: says that C is without evidence', () => {
    const result = run('field-multi-item-003');
    expect(result.metadata?.multi_item).toMatchObject({
      status: 'PARTIAL_SUCCESS',
      items_count: 3,
      items_succeeded_count: 2,
      items_failed_count: 0,
      items_unknown_count: 1,
    });
    expect(result.items?.at(-1)).toMatchObject({ id: 'C', outcome: 'unknown', reason: 'no_evidence' });
  });

  // Debatable. A list of user errors beside a null object is the tool's own refusal.
  it('user-errors-in-200: is a business error although the protocol is green', () => {
    const result = run('field-multi-item-004');
    expect(result).toMatchObject({
      ok: false,
      outcome: 'FAILED',
      error: { errorCategory: 'business', isRetryable: false },
    });
    expect(result.error?.message).toContain('already shipped');
  });

  // Debatable. No contract of ours promises the request order, so the entries are counted and not named.
  it('items-without-identity: counts and names nothing', () => {
    const result = run('field-multi-item-005');
    expect(result.metadata?.multi_item).toMatchObject({
      status: 'PARTIAL_SUCCESS',
      items_count: 2,
      items_succeeded_count: 1,
      items_failed_count: 1,
    });
    expect(result.items?.map(({ label }) => label)).toEqual(['#1', '#2']);
  });

  // Debatable. Counters are no account of five items: none is claimed.
  it('processed-less-than-requested: does not say that all five were done', () => {
    const result = run('field-multi-item-006');
    expect(result).toMatchObject({ ok: false, outcome: 'UNKNOWN', multi_item_status: null });
    expect(result.contract_warnings).toHaveLength(1);
  });

  it('mixed-outcome-counts: six succeeded, four failed', () => {
    const result = run('field-multi-item-007');
    expect(result.metadata?.multi_item).toMatchObject({
      status: 'PARTIAL_SUCCESS',
      items_count: 10,
      items_succeeded_count: 6,
      items_failed_count: 4,
    });
    expect(result.items?.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)).toEqual([
      'I3',
      'I6',
      'I7',
      'I9',
    ]);
  });

  // Debatable. Exactly the words "true" and "false" are read, with a warning; truthiness never decides.
  it('string-booleans: reads the exact words and warns', () => {
    const result = run('field-multi-item-008');
    expect(result.metadata?.multi_item).toMatchObject({
      status: 'PARTIAL_SUCCESS',
      items_succeeded_count: 1,
      items_failed_count: 1,
    });
    expect(result.contract_warnings).toEqual(['2 entries in results have a word where a boolean belongs']);
  });

  it('single-item-list: the one flag decides', () => {
    expect(run('field-multi-item-009')).toMatchObject({ ok: false, outcome: 'FAILED', multi_item_status: null });
  });
});

describe('field cases: mcp-result', () => {
  it('iserror-plain-text: the flag decides, the text is passed on', () => {
    const result = run('field-mcp-result-001');
    expect(result).toMatchObject({ ok: false, error: { errorCategory: 'business', isRetryable: false } });
    expect(result.error?.message).toContain('already delivered');
  });

  // Debatable. A transactional tool that answers with the words of an error is not believed to have worked.
  it('error-text-without-flag: is no success', () => {
    expect(run('field-mcp-result-002')).toMatchObject({ ok: false, error: { errorCategory: 'validation' } });
  });

  it('structured-only: is data', () => {
    expect(run('field-mcp-result-003')).toMatchObject({ ok: true, empty: false, data: { orders: [{ id: 'P-1' }] } });
  });

  it('empty-content-read: is a valid empty result', () => {
    expect(run('field-mcp-result-004')).toMatchObject({ ok: true, empty: true, error: null });
  });

  it('protocol-error-for-bad-arguments: reads as the same text under isError', () => {
    const message = 'MCP error -32602: invalid params: field order_id is required';
    const { error } = run('field-mcp-result-005');
    expect(error).toMatchObject({ errorCategory: 'validation', isRetryable: false });
    expect(
      run('field-mcp-result-005', answer({ isError: true, content: [{ type: 'text', text: message }] })).error,
    ).toEqual(error);
  });

  it('timeout-on-write: is unknown, not failed, and not to be repeated', () => {
    const result = run('field-mcp-result-006', { kind: 'timeout', timeout_ms: 60_000, sent: true });
    expect(result).toMatchObject({
      ok: false,
      outcome: 'UNKNOWN',
      error: { code: 'tool.timeout', isRetryable: false },
    });
  });

  // The one extra attempt is made by libs/mcp (mcp/src/session-lost.unit.spec.ts); here only the category is decided.
  it('session-expired: is transient and says nothing about the order', () => {
    expect(run('field-mcp-result-007')).toMatchObject({
      ok: false,
      error: { errorCategory: 'transient', isRetryable: true },
    });
  });

  it('too-large-error: asks for a narrower query', () => {
    const { error } = run('field-mcp-result-008');
    expect(error).toMatchObject({ errorCategory: 'validation', isRetryable: false });
    expect(error?.alternatives?.join(' ')).toContain('narrow');
  });

  it('image-only: records the block and carries no bytes', () => {
    const result = run('field-mcp-result-009');
    expect(result).toMatchObject({ ok: true, empty: false, note: '1 image/png block returned' });
    expect(JSON.stringify(result)).not.toContain('aGVsbG8=');
  });

  it('output-schema-on-error: the real reason survives', () => {
    const { error } = run('field-mcp-result-010');
    expect(error).toMatchObject({ errorCategory: 'business' });
    expect(error?.message).toContain('fidelity');
  });
});

describe('field cases: error-classification', () => {
  it('conflict-in-progress: waits under the same key', () => {
    expect(run('field-error-classification-001').outcome).toBe('UNKNOWN');
    const idempotent = execution({
      outcome: outcomeOf(record(record(rows.get('field-error-classification-001')).input)),
      declaredIdempotent: true,
    });
    expect(readToolResult(idempotent).error).toMatchObject({ errorCategory: 'transient', isRetryable: true });
  });

  it('reset-on-write: transient, unknown, no second POST', () => {
    const outcome = { kind: 'transport_error', code: 'ECONNRESET', message: 'read ECONNRESET', sent: true };
    expect(run('field-error-classification-002', outcome)).toMatchObject({
      outcome: 'UNKNOWN',
      error: { errorCategory: 'transient', isRetryable: false },
    });
  });

  it('retry-after-date: reads the date', () => {
    expect(run('field-error-classification-003').error).toMatchObject({
      errorCategory: 'transient',
      isRetryable: true,
      retryAfterMs: 120_000,
    });
  });

  it('forbidden-but-rate-limited: is throttling', () => {
    expect(run('field-error-classification-004').error).toMatchObject({
      errorCategory: 'transient',
      isRetryable: true,
      retryAfterMs: 60_000,
    });
  });

  it('quota-exhausted: is not waited out', () => {
    expect(run('field-error-classification-005').error).toMatchObject({
      errorCategory: 'business',
      isRetryable: false,
    });
  });

  it('deadlock: is transient, because the victim was rolled back whole', () => {
    const outcome = answer({ isError: true, structuredContent: { sqlstate: '40P01' } });
    expect(run('field-error-classification-006', outcome)).toMatchObject({
      outcome: 'FAILED',
      error: { errorCategory: 'transient', isRetryable: true },
    });
  });

  // Debatable, and decided without the declaration: an HTTP status belongs to the MCP endpoint, and a tool that found nothing says so in its
  // result. Latch has no setting that turns a 404 into an empty list, because it would turn a wrong URL into one as well.
  it('empty-list-as-404: is business, not found', () => {
    expect(run('field-error-classification-007')).toMatchObject({
      ok: false,
      error: { errorCategory: 'business', isRetryable: false },
    });
  });

  const grpc = record(record(record(rows.get('field-error-classification-008')).expected).by_code);
  it.each(Object.entries(grpc))('grpc-basics: %s', (code, expected) => {
    const { category, retryable } = record(expected);
    const error = run(
      'field-error-classification-008',
      answer({ isError: true, structuredContent: { code, message: 'x' } }),
    ).error;
    expect(error?.isRetryable).toBe(retryable);
    if (category !== undefined) expect(error?.errorCategory).toBe(category);
  });

  // The credential of a server is static here (secret environment), so there is nothing to refresh: both are permission.
  it.each([401, 403])('401-versus-403: %s is permission', (status) => {
    expect(run('field-error-classification-009', { kind: 'http_error', status, body: '' }).error).toMatchObject({
      errorCategory: 'permission',
      isRetryable: false,
    });
  });

  // The breaker itself is tested in libs/mcp; it counts what is transient, and none of these is.
  it.each([400, 422, 404])('breaker-and-client-errors: %s says nothing about the server', (status) => {
    const outcome = { kind: 'http_error', status, body: '' };
    expect(isUncertain(execution({ outcome }))).toBe(false);
    expect(run('field-error-classification-010', outcome).error?.isRetryable).toBe(false);
  });
});

it('every field case of the folder has a test that names it, and every debatable one is argued in the documentation', () => {
  const source = readFileSync(import.meta.filename, 'utf8');
  const page = readFileSync(`${import.meta.dirname}/../../../docs/reference/tool-results.md`, 'utf8');
  const names = [...rows.values()].map((row) => String(row.topic).split('/')[1] ?? '');
  expect(names.filter((name) => !source.includes(`${name}: `))).toEqual([]);
  const debatable = [...rows.values()]
    .filter((row) => row.debatable === true)
    .map((row) => String(row.topic).split('/')[1] ?? '');
  expect(debatable.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
