import { describe, expect, it } from '@jest/globals';
import { type ComponentHealth, HealthState } from './health-state.ts';

describe('a health state', () => {
  it('says which part is ill and why', () => {
    const health = new HealthState();
    health.probe('bus', () => ({ ok: true }));
    health.probe('store', () => ({ ok: false, detail: 'connection refused' }));
    expect(health.report()).toEqual({
      status: 'not_ready',
      components: { bus: { ok: true }, store: { ok: false, detail: 'connection refused' } },
    });
  });

  it('asks each part anew at every report', () => {
    const health = new HealthState();
    let bus: ComponentHealth = { ok: false };
    health.probe('bus', () => bus);
    expect(health.report().status).toBe('not_ready');
    bus = { ok: true };
    expect(health.report()).toEqual({ status: 'ready', components: { bus: { ok: true } } });
  });
});
