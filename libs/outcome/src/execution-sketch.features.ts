import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isRecord, ToolExecution } from '@latch/contracts';

/** What a test says about an execution; the rest is filled with a plain transactional call. */
export type ExecutionSketch = {
  readonly tool?: string;
  readonly operation?: string;
  readonly purpose?: string;
  readonly items?: readonly (string | { id: string; label: string })[];
  readonly outcome: unknown;
  readonly attempts?: readonly unknown[];
  readonly workflow?: unknown;
  readonly declaredIdempotent?: boolean;
};

/** A ToolExecution that the contract accepts, so that no test speaks about what could never arrive. */
export function execution(sketch: ExecutionSketch): ToolExecution {
  return ToolExecution.parse({
    invocation_id: 'inv-1',
    invocation: {
      tenant_id: 'tenant-1',
      agent_id: 'agent-1',
      tool_name: sketch.tool ?? 'cancel_services',
      arguments: {},
      operation_type: sketch.operation ?? 'transactional',
      purpose: sketch.purpose ?? 'execution',
      transaction_id: 'tx-1',
      items: sketch.items?.map((item) => (typeof item === 'string' ? { id: item, label: item } : item)),
    },
    outcome: sketch.outcome,
    attempts: sketch.attempts ?? [
      { number: 1, started_at: '2026-11-30T12:00:00Z', ended_at: '2026-11-30T12:00:00Z', outcome: sketch.outcome },
    ],
    workflow: sketch.workflow,
    declared_idempotent: sketch.declaredIdempotent,
    latency_ms: 12,
  });
}

/** An MCP answer as an outcome. */
export function answer(result: unknown): unknown {
  return { kind: 'result', result };
}

/** An MCP answer with structured content. */
export function structured(content: unknown, isError?: boolean): unknown {
  return answer({ content: [{ type: 'text', text: JSON.stringify(content) }], structuredContent: content, isError });
}

/** An MCP answer of one text block. */
export function text(words: string, isError?: boolean): unknown {
  return answer({ content: [{ type: 'text', text: words }], isError });
}

/** The rows of one of the recorded files; see fixtures/NOTICE.md. */
export function rowsOf(file: string): readonly Record<string, unknown>[] {
  const lines = readFileSync(path.join(import.meta.dirname, 'fixtures', file), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => record(JSON.parse(line)));
}

/** The value as an object; a test that expects one fails on anything else. */
export function record(value: unknown): Record<string, unknown> {
  if (!isRecord(value)) throw new Error(`not an object: ${JSON.stringify(value)}`);
  return value;
}
