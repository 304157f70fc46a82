import { describe, expect, it } from '@jest/globals';
import { TerminalError, type ToolExecution, topics } from '@latch/contracts';
import { maxBytesOf } from '@latch/messaging';
import { approvedCall } from './approved-call.features.ts';
import { silent } from './executor-fixture.features.ts';
import { createSettleOutcome } from './settle-outcome.ts';

const tooMuch = 'x'.repeat(maxBytesOf(topics.toolExecutions));

function ended(args: Record<string, unknown>, answer: string) {
  const approved = approvedCall('cancel', { args, items: [], fields: {} });
  const execution: ToolExecution = {
    contract_version: 'tool-execution-v1',
    invocation_id: approved.invocationId,
    invocation: approved.invocation,
    outcome: { kind: 'result', result: { content: [{ type: 'text', text: answer }] } },
    attempts: [],
    declared_idempotent: true,
    latency_ms: 1,
  };
  return { work: { approved, attempts: [] }, execution, owner: 'executor-1' };
}

function settleInto(recorded: ToolExecution[]) {
  return createSettleOutcome({
    ledger: { recordOutcome: ({ execution }) => Promise.resolve(recorded.push(execution) > 0) },
    publisher: { publish: () => {} },
    clock: { now: () => '2026-11-30T12:00:00.000Z' },
    logger: silent,
    onRecorded: () => {},
  });
}

describe('an outcome that is larger than what the bus takes', () => {
  it('is told without its answer: it came and could not be carried', async () => {
    const recorded: ToolExecution[] = [];
    await settleInto(recorded)(ended({}, tooMuch));
    expect(recorded).toMatchObject([{ outcome: { kind: 'transport_error', code: 'result_too_large', sent: true } }]);
  });

  it('even without its answer is an error at once, and nothing is recorded', async () => {
    const recorded: ToolExecution[] = [];
    await expect(settleInto(recorded)(ended({ note: tooMuch }, 'done'))).rejects.toThrow(TerminalError);
    expect(recorded).toEqual([]);
  });
});
