import { describe, expect, it } from '@jest/globals';
import { HealthState } from './health-state.ts';

describe('a health state', () => {
  it('is not ready before every named component has reported', () => {
    const health = new HealthState(['bus', 'store']);
    health.set('bus', { ok: true });
    expect(health.isReady()).toBe(false);
    expect(health.report().components.store).toEqual({ ok: false, detail: 'starting' });
    health.set('store', { ok: true });
    expect(health.isReady()).toBe(true);
  });

  it('says which component is ill and why', () => {
    const health = new HealthState();
    health.set('bus', { ok: true });
    health.set('store', { ok: false, detail: 'connection refused' });
    expect(health.report()).toEqual({
      status: 'not_ready',
      components: { bus: { ok: true }, store: { ok: false, detail: 'connection refused' } },
    });
  });

  it('asks a probe anew at every report', () => {
    const health = new HealthState(['bus']);
    let isConnected = false;
    health.probe('bus', () => ({ ok: isConnected }));
    expect(health.isReady()).toBe(false);
    isConnected = true;
    expect(health.isReady()).toBe(true);
  });
});
