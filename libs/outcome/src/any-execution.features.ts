import fc from 'fast-check';
import { answer, execution } from './execution-sketch.features.ts';

const id = fc.constantFrom('A', 'B', 'C', 'D', 'é', '1');
const flag = fc.oneof(
  { weight: 6, arbitrary: fc.boolean() },
  fc.constantFrom('true', 'false', 'yes', 1, null, undefined),
);
const entry = fc.oneof(
  { weight: 8, arbitrary: fc.record({ id, success: flag, ok: flag, reason: fc.string() }, { requiredKeys: [] }) },
  fc.jsonValue(),
);
const body = fc.oneof(
  fc.record(
    { results: fc.array(entry, { maxLength: 8 }), error: fc.string(), success: flag },
    { requiredKeys: ['results'] },
  ),
  fc.record({
    workflow: fc.record({ output: fc.record({ cancel_services: fc.record({ results: fc.array(entry) }) }) }),
  }),
  fc.jsonValue(),
);
const block = fc.oneof(
  body.map((value) => ({ type: 'text', text: JSON.stringify(value) })),
  fc.string().map((words) => ({ type: 'text', text: words })),
  fc.jsonValue(),
);
const result = fc.record(
  {
    content: fc.array(block, { maxLength: 3 }),
    structuredContent: body,
    isError: fc.oneof(fc.boolean(), fc.jsonValue()),
  },
  { requiredKeys: [] },
);
const structuredError = fc.record({
  errorCategory: fc.constantFrom('transient', 'validation', 'business', 'permission'),
  isRetryable: fc.boolean(),
  message: fc.string(),
});
const outcome = fc.oneof(
  { weight: 6, arbitrary: result.map(answer) },
  fc.record({ kind: fc.constant('protocol_error'), code: fc.integer(), message: fc.string(), data: fc.jsonValue() }),
  fc.record({
    kind: fc.constant('http_error'),
    status: fc.integer({ min: 100, max: 599 }),
    body: fc.string(),
    retry_after: fc.option(fc.string()),
  }),
  fc.record({ kind: fc.constant('transport_error'), code: fc.string(), message: fc.string(), sent: fc.boolean() }),
  fc.record({ kind: fc.constant('timeout'), timeout_ms: fc.integer({ min: 1 }), sent: fc.boolean() }),
  fc.record({ kind: fc.constant('lost'), reason: fc.string() }),
  fc.record({ kind: fc.constant('refused'), error: structuredError }),
  fc.record(
    {
      kind: fc.constant('input_required'),
      message: fc.string(),
      requestedSchema: fc.dictionary(fc.constantFrom('type', 'properties'), fc.jsonValue()),
      result,
    },
    { requiredKeys: ['kind', 'message', 'requestedSchema'] },
  ),
);
const step = fc.record(
  {
    id: fc.constantFrom('find', 'cancel', 'tell'),
    tool_name: fc.string({ minLength: 1 }),
    primary: fc.boolean(),
    has_effect: fc.boolean(),
    state: fc.constantFrom('succeeded', 'partly', 'failed', 'unknown', 'skipped'),
    error: structuredError,
  },
  { requiredKeys: ['id', 'tool_name', 'primary', 'has_effect', 'state'] },
);
const workflow = fc.record({
  output: fc.dictionary(fc.constantFrom('cancel_services', 'other'), body),
  steps: fc.array(step, { maxLength: 4 }),
});

/** Any execution that the contract accepts, as a workflow or not. */
export const sketch = fc
  .record({
    operation: fc.constantFrom('read_only', 'conversational', 'transactional', 'internal'),
    items: fc.uniqueArray(id, { maxLength: 5 }),
    outcome,
    declaredIdempotent: fc.boolean(),
    workflow: fc.option(workflow, { nil: undefined, freq: 4 }),
  })
  .map(execution);
