import { describe, expect, it } from '@jest/globals';
import { type EventEnvelope } from '@latch/contracts';
import { eventLine } from './event-line.ts';

const event = (payload: Record<string, unknown>): EventEnvelope => ({
  event_type: 'IC.PARAMETERS_COLLECTED',
  timestamp: '2026-11-30T14:20:59.222Z',
  tenant_id: 't',
  agent_id: 'a',
  session_id: 's',
  trace_id: 'x',
  sequence: 7,
  payload,
});

describe('an event in the timeline', () => {
  it('is one line with its place, its time, its type and what matters', () => {
    expect(eventLine(event({ values: { order_id: 'PED-1001' }, transactionId: 'hidden', reason: null }))).toBe(
      '  7  14:20:59.222  IC.PARAMETERS_COLLECTED  values {"order_id":"PED-1001"}',
    );
  });
});
