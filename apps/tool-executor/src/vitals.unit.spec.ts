import { describe, expect, it } from '@jest/globals';
import { Vitals } from './vitals.ts';

const load = { running: 2, waiting: 1 };

describe('the readiness of an executor', () => {
  it('comes with the first look into the ledger, and goes with a stop', () => {
    const vitals = new Vitals(1_000);
    expect(vitals.report(load)).toMatchObject({ ok: false, detail: expect.stringContaining('starting') });
    vitals.swept();
    expect(vitals.report(load)).toEqual({ ok: true, detail: '2 running, 1 waiting' });
    vitals.stop();
    expect(vitals.report(load)).toMatchObject({ ok: false, detail: expect.stringContaining('stopping') });
  });

  it('is lost when the ledger is not read any more', () => {
    let now = 0;
    const vitals = new Vitals(1_000, () => now);
    vitals.swept();
    now = 18_000;
    expect(vitals.report(load).ok).toBe(true);
    now = 18_001;
    expect(vitals.report(load)).toMatchObject({ ok: false, detail: 'the ledger was not read for 18 s' });
  });
});
