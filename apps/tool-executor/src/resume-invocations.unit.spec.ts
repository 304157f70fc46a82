import { describe, expect, it } from '@jest/globals';
import { type LedgerEntry } from '@latch/event-store';
import { type InvocationWork } from './execute-invocation.ts';
import { approvedCall } from './approved-call.features.ts';
import { silent } from './executor-fixture.features.ts';
import { startResumingInvocations } from './resume-invocations.ts';

async function resume(traceId: string | undefined): Promise<InvocationWork | undefined> {
  const approved = approvedCall('cancel', { args: {}, items: [], fields: {} });
  const invocation = { ...approved.invocation, metadata: { trace_id: traceId } };
  const entry: LedgerEntry = {
    invocationId: approved.invocationId,
    approved: { ...approved, invocation },
    status: 'CLAIMED',
    owner: 'gone',
    leaseUntil: '2026-11-30T12:00:00.000Z',
    attempts: [],
    execution: null,
  };
  const taken: InvocationWork[] = [];
  const stop = startResumingInvocations({
    ledger: { resumable: () => Promise.resolve([entry]) },
    clock: { set: () => Promise.resolve() },
    lease: { owner: 'spec', leaseMs: 1_000 },
    enqueue: (work) => taken.push(work),
    room: () => 10,
    everyMs: 60_000,
    logger: silent,
  });
  await stop();
  return taken[0];
}

describe('a call that is taken over', () => {
  it('goes on in the trace of its turn, under a span of its own', async () => {
    const work = await resume('0af7651916cd43dd8448eb211c80319c');
    expect(work?.traceparent).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-(?!0{16})[0-9a-f]{16}-01$/);
  });

  it.each([undefined, 'trace-1', '0'.repeat(32)])('of a turn with the trace %s has none', async (traceId) => {
    expect(await resume(traceId)).toMatchObject({ traceparent: undefined });
  });
});
