import { describe, expect, it } from '@jest/globals';
import { ToolResult } from '@latch/contracts';
import fc from 'fast-check';
import { toMcpCallToolResult } from './emit-tool-result.ts';
import { sketch } from './any-execution.features.ts';
import { isMutating, mayHaveHappened } from './may-have-happened.ts';
import { readToolResult } from './read-tool-result.ts';

const runs = { numRuns: 1_000 };

describe('for any execution', () => {
  it('the result is a valid ToolResult and survives JSON', () => {
    fc.assert(
      fc.property(sketch, (given) => {
        const read = readToolResult(given);
        expect(ToolResult.parse(JSON.parse(JSON.stringify(read))).tool_name).toBe(given.invocation.tool_name);
      }),
      runs,
    );
  });

  it('is read alike twice: no clock, no chance', () => {
    fc.assert(
      fc.property(sketch, (given) => expect(readToolResult(given)).toEqual(readToolResult(given))),
      { numRuns: 300 },
    );
  });

  it('succeeded + failed + unknown = items', () => {
    fc.assert(
      fc.property(sketch, (given) => {
        const { metadata, items } = readToolResult(given);
        const counts = metadata?.multi_item;
        if (counts === undefined) return;
        expect(counts.items_succeeded_count + counts.items_failed_count + (counts.items_unknown_count ?? 0)).toBe(
          counts.items_count,
        );
        expect(items).toHaveLength(counts.items_count);
      }),
      runs,
    );
  });

  it('with two or more items asked, the items are as many as were asked, or more only where nothing is named', () => {
    fc.assert(
      fc.property(sketch, (given) => {
        const asked = given.invocation.items ?? [];
        const items = readToolResult(given).items ?? [];
        if (asked.length < 2 || items.length === 0 || items.some((item) => item.id.startsWith('#'))) return;
        expect(items.map((item) => item.id)).toEqual(asked.map((item) => item.id));
      }),
      runs,
    );
  });

  it('no success is claimed for a flagged error that accounts for no item', () => {
    fc.assert(
      fc.property(sketch, (given) => {
        if (given.outcome.kind === 'result' && given.outcome.result.isError !== true) return;
        // The primary step of a workflow may have ended well before a later one failed.
        if (given.workflow !== undefined) return;
        const read = readToolResult(given);
        if (!(read.items ?? []).some((item) => item.outcome === 'succeeded')) expect(read.ok).toBe(false);
      }),
      runs,
    );
  });

  it('a mutating call that may have happened is never FAILED', () => {
    fc.assert(
      fc.property(sketch, (given) => {
        if (!isMutating(given.invocation) || !mayHaveHappened(given.outcome)) return;
        // A tool that went on after its question was cancelled has answered, and its answer counts.
        if (given.outcome.kind === 'input_required') return;
        // What the steps of a workflow gave is evidence of its items, whatever became of the last call.
        if (given.workflow !== undefined) return;
        expect(readToolResult(given).outcome).not.toBe('FAILED');
      }),
      runs,
    );
  });

  it('ok, outcome and error agree, and only transient errors are retryable', () => {
    fc.assert(
      fc.property(sketch, (given) => {
        const read = readToolResult(given);
        expect(read.ok).toBe(read.outcome === 'SUCCESS' || read.outcome === 'PARTIAL_SUCCESS');
        expect(read.error === null).toBe(read.ok);
        if (read.error?.isRetryable === true) expect(read.error.errorCategory).toBe('transient');
        if (read.empty === true) expect(read).toMatchObject({ ok: true, outcome: 'SUCCESS' });
      }),
      runs,
    );
  });

  it('nothing is invented: a success is an item that was asked for, or that an entry names', () => {
    fc.assert(
      fc.property(sketch, (given) => {
        const evidence = JSON.stringify([given.outcome, given.workflow ?? null, given.invocation.items ?? []]);
        const read = readToolResult(given);
        for (const item of [...(read.items ?? []), ...unrequestedIn(read)]) {
          expect(item.id.startsWith('#') || holds(evidence, item.id)).toBe(true);
        }
      }),
      runs,
    );
  });

  it('what says nothing about why is not retried', () => {
    fc.assert(
      fc.property(sketch, (given) => {
        const { error } = readToolResult(given);
        if (error?.code === 'tool.unclassified') expect(error.isRetryable).toBe(false);
      }),
      runs,
    );
  });

  it('a workflow whose primary step never ran has no success', () => {
    fc.assert(
      fc.property(sketch, (given) => {
        const steps = given.workflow?.steps ?? [];
        const primary = steps.find((each) => each.primary);
        if (primary?.state !== 'skipped') return;
        const read = readToolResult(given);
        expect(['FAILED', 'UNKNOWN']).toContain(read.outcome);
        const isOpen = steps.some((each) => each.has_effect && each.state === 'unknown');
        if (isOpen && isMutating(given.invocation)) expect(read.outcome).toBe('UNKNOWN');
      }),
      runs,
    );
  });

  it('writing it for MCP and reading that again gives the same verdict per item', () => {
    fc.assert(
      fc.property(sketch, (given) => {
        const read = readToolResult(given);
        const isNamed = (read.items ?? []).every((item) => !item.id.startsWith('#'));
        if (read.multi_item_status === null || !isNamed) return;
        const again = readToolResult({
          ...given,
          workflow: undefined,
          outcome: { kind: 'result', result: { ...toMcpCallToolResult(read), content: [] } },
        });
        expect(again.items?.map((item) => item.outcome)).toEqual(read.items?.map((item) => item.outcome));
      }),
      runs,
    );
  });
});

function unrequestedIn(read: ToolResult): readonly { readonly id: string }[] {
  const entries: unknown = read.unrequested_items ?? [];
  return Array.isArray(entries) ? entries.filter(isNamed) : [];
}

function isNamed(entry: unknown): entry is { readonly id: string } {
  return typeof entry === 'object' && entry !== null && 'id' in entry && typeof entry.id === 'string';
}

/** As it is, in JSON, or in JSON that stands in a text. */
function holds(evidence: string, id: string): boolean {
  const inJson = JSON.stringify(id).slice(1, -1);
  return [id, inJson, JSON.stringify(inJson).slice(1, -1)].some((written) => evidence.includes(written));
}
