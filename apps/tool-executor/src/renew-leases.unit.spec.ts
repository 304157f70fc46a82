import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { silent } from './executor-fixture.features.ts';
import { startRenewingLeases } from './renew-leases.ts';

describe('the leases of what an executor has in hand', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('are renewed in time though two renewals fail', async () => {
    const renewed: number[] = [];
    let failures = 2;
    const renewLeases = (): Promise<void> => {
      if (failures-- > 0) return Promise.reject(new Error('away'));
      renewed.push(Date.now());
      return Promise.resolve();
    };
    const claimedAt = Date.now();
    const lease = { owner: 'spec', leaseMs: 30_000 };
    const stop = startRenewingLeases({ ledger: { renewLeases }, lease, inHand: () => ['i-1'], logger: silent });
    await jest.advanceTimersByTimeAsync(lease.leaseMs);
    expect(renewed[0]).toBeLessThan(claimedAt + lease.leaseMs);
    await stop();
  });
});
