import { describe, expect, it } from '@jest/globals';
import { type ReceivedEnvelope } from '@latch/messaging';
import { approvedCall } from './approved-call.features.ts';
import { progressForwarder } from './progress.ts';

describe('the progress of a call', () => {
  it('is told at most once a second and sixty times, whatever the server says', () => {
    const told: ReceivedEnvelope[] = [];
    let at = 0;
    const forward = progressForwarder({
      emit: (signals) => told.push(...signals),
      now: () => '2026-11-30T12:00:00.000Z',
      monotonic: () => at,
    });
    const approved = approvedCall('look', { args: {}, items: [], fields: {} });
    const onProgress = forward(approved, { tool: 'look', step: null, attempt: 1 });
    for (; at < 100_000; at += 100) onProgress({ progress: at, total: 100_000, message: 'x'.repeat(5_000) });
    expect(told).toHaveLength(60);
    expect(new Set(told.map(({ event_id }) => event_id)).size).toBe(60);
    expect(told[1]).toMatchObject({
      event_type: 'IC.TOOL_PROGRESS',
      conversation_key: approved.conversationKey,
      payload: { invocation_id: approved.invocationId, tool_name: 'look', progress: 1_000, total: 100_000 },
    });
    expect(JSON.stringify(told[1]?.payload).length).toBeLessThan(500);
  });

  it('names the step, and not the item that it is called for', () => {
    const told: ReceivedEnvelope[] = [];
    const forward = progressForwarder({
      emit: (signals) => told.push(...signals),
      now: () => '2026-11-30T12:00:00.000Z',
    });
    const approved = approvedCall('look', { args: {}, items: [], fields: {} });
    forward(approved, { tool: 'look', step: 'cancelar:PED-1001', attempt: 1 })({ progress: 1 });
    expect(told).toMatchObject([{ payload: { step: 'cancelar' } }]);
    expect(JSON.stringify(told)).not.toContain('PED-1001');
  });
});
