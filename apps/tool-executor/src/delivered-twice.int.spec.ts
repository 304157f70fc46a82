import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { answerWith, defineTool, refuseWith, serveDomain } from '@latch/mcp-server';
import { readToolResult } from '@latch/outcome';
import { z } from 'zod';
import { type Approval, ExecutorFixture } from './executor-fixture.features.ts';
import { platformConfig } from './sample-domain.features.ts';

jest.setTimeout(120_000);

/** A write of tau-bench, and what a second call of the same would be answered (see fixtures/NOTICE.md). */
const Answer = z.looseObject({
  content: z.array(z.looseObject({ text: z.string() })),
  isError: z.boolean().optional(),
});
const Row = z.looseObject({
  case_id: z.string(),
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  first: Answer,
  second_if_delivered_twice: Answer,
  expected: z.looseObject({ backend_calls: z.number(), answer_of_every_delivery: z.literal('first') }),
});
const file = path.join(import.meta.dirname, 'fixtures/tau-idempotency.jsonl');
const rows = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => Row.parse(JSON.parse(line)));

const calls = new Map<string, number>();
let fixture: ExecutorFixture;
let server: { readonly url: string; stop(): Promise<void> };

/** The backend of the sample: it does what it is told as often as it is told, and a second time answers differently. */
function backend(name: string): ReturnType<typeof defineTool> {
  return defineTool({
    name,
    title: name,
    description: name,
    input: z.object({ case_id: z.string(), arguments: z.record(z.string(), z.unknown()) }),
    isReadOnly: false,
    handle: ({ arguments: { case_id: id } }) => {
      const row = rows.find(({ case_id: known }) => known === id);
      const count = (calls.get(id) ?? 0) + 1;
      calls.set(id, count);
      const given = count === 1 ? row?.first : row?.second_if_delivered_twice;
      const text = given?.content[0]?.text ?? '';
      if (given?.isError === true) return refuseWith({ errorCategory: 'business', isRetryable: false, message: text });
      return answerWith({ answered: text }, 1);
    },
  });
}

beforeAll(async () => {
  fixture = await ExecutorFixture.create();
  const tools = [backend('cancel'), backend('cancel_once')];
  server = await serveDomain({ name: 'tau', version: '1.0.0', port: 0, tools, reset: () => {} });
  const config = platformConfig({ main: `${server.url}/mcp` });
  await fixture.startExecutor(config);
  await fixture.startExecutor(config);
});

afterAll(async () => {
  await fixture.close();
  await server.stop();
});

/** Does it for all of them, a few at once: together they share the waits, and calls of several conversations run side by side as they do in service. */
async function someAtOnce<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = [...all];
  const takeTurns = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await work(one);
  };
  await Promise.all(Array.from({ length: 6 }, takeTurns));
}

async function deliver(tool: string, row: (typeof rows)[number]): Promise<Approval> {
  return fixture.approve(tool, { args: { case_id: row.case_id, arguments: row.arguments } });
}

describe('118 writes of tau-bench, each delivered twice to two instances', () => {
  it('reach the backend once, and every delivery gets the first answer', async () => {
    expect(rows).toHaveLength(118);
    await someAtOnce(rows, async (row) => {
      const approval = await deliver('cancel_once', row);
      await fixture.bus.publish([approval.message, approval.message]);
      const first = readToolResult(await fixture.executionOf(approval));
      await fixture.bus.publish([approval.message]);
      const known = await fixture.store.ledger.read(approval.approved.invocationId);
      expect([row.case_id, calls.get(row.case_id)]).toEqual([row.case_id, row.expected.backend_calls]);
      expect(first).toMatchObject({ ok: true, data: { answered: row.first.content[0]?.text } });
      expect(known?.execution === null || known === undefined ? null : readToolResult(known.execution).data).toEqual(
        first.data,
      );
    });
    const ids = fixture.executions.map(({ invocation_id: id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('whose answer is lost after the effect are repeated under their key, and the server repeats the first answer', async () => {
    calls.clear();
    for (const row of rows.filter((_, at) => at % 8 === 0)) {
      const body = JSON.stringify({ tool: 'cancel', kind: 'drop_after_commit' });
      await fetch(`${server.url}/faults`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      const approval = await deliver('cancel', row);
      await fixture.bus.publish([approval.message, approval.message]);
      const execution = await fixture.executionOf(approval);
      expect(execution.attempts).toHaveLength(2);
      expect(readToolResult(execution)).toMatchObject({ ok: true, data: { answered: row.first.content[0]?.text } });
      expect([row.case_id, calls.get(row.case_id)]).toEqual([row.case_id, 1]);
    }
  });
});
