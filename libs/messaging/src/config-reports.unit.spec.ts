import { describe, expect, it } from '@jest/globals';
import { Alarm, EventEnvelope } from '@latch/contracts';
import { ConfigReports } from './config-reports.ts';

function reports(): ConfigReports {
  let seconds = 0;
  return new ConfigReports('orchestrator', () => new Date(Date.UTC(2026, 10, 30, 12, 0, (seconds += 1))).toISOString());
}
const problems = Array.from({ length: 25 }, (_, line) => {
  return { file: 'tools.yaml', line: line + 1, column: 1, message: 'Unknown key.', severity: 'error' } as const;
});
const rejected = { kind: 'rejected', files: 'bad', inUse: 'good', problems } as const;

describe('what operators are told of changed configuration files', () => {
  it('is an alarm with the first mistakes, under one id as long as they are bad, and its end', () => {
    const told = reports();
    const events = [rejected, { ...rejected, files: 'worse' }, { kind: 'applied', files: 'better' } as const].map(
      (report) => EventEnvelope.parse(told.tell(report)),
    );
    expect(events.map(({ event_type, severity }) => [event_type, severity])).toEqual([
      ['NOC.CONFIG_REJECTED', 'major'],
      ['NOC.CONFIG_REJECTED', 'major'],
      ['NOC.CONFIG_APPLIED', 'cleared'],
    ]);
    const alarms = events.map(({ payload }) => Alarm.parse(payload['alarm']));
    expect(new Set(alarms.map(({ alarm_id }) => alarm_id)).size).toBe(1);
    expect(alarms.map(({ cleared_at }) => cleared_at ?? null)).toEqual([null, null, '2026-11-30T12:00:03.000Z']);
    expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(3);
    expect(events[0]?.payload).toMatchObject({ problems_count: 25, files_digest: 'bad', in_use_digest: 'good' });
    expect(events[0]?.payload['problems']).toHaveLength(20);
  });

  it('is a plain fact where nothing was wrong before', () => {
    const event = reports().tell({ kind: 'applied', files: 'next' });
    expect(event).toMatchObject({
      event_type: 'NOC.CONFIG_APPLIED',
      severity: 'info',
      payload: { files_digest: 'next' },
    });
    expect(event.payload).not.toHaveProperty('alarm');
  });

  it('is another alarm the next time', () => {
    const told = reports();
    const [first, , second] = [rejected, { kind: 'applied', files: 'b' } as const, rejected].map((one) =>
      told.tell(one),
    );
    expect(Alarm.parse(first?.payload['alarm']).alarm_id).not.toBe(Alarm.parse(second?.payload['alarm']).alarm_id);
  });
});
