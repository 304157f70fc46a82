import { describe, expect, it } from '@jest/globals';
import { readEnvironment } from '@latch/config';
import { ingressSettings } from './config.ts';

const minimal = { KAFKA_BROKERS: '127.0.0.1:9092', DATABASE_URL: 'postgres://latch@127.0.0.1:5432/latch' };

describe('the settings of ingress', () => {
  it('need a bus and a database, and have a default for the rest', () => {
    const settings = readEnvironment(ingressSettings, minimal);
    expect(settings).toMatchObject({
      ok: true,
      value: {
        LATCH_HTTP_HOST: '127.0.0.1',
        LATCH_HTTP_PORT: 9000,
        LATCH_MAX_WAITING: 10_000,
        LATCH_PUBLISH_TIMEOUT_MS: 5_000,
        LATCH_DRAIN_DELAY_MS: 0,
      },
    });
  });

  it('name every key with its meaning', () => {
    for (const [name, field] of Object.entries(ingressSettings.shape)) {
      expect({ name, description: field.description }).toEqual({
        name,
        description: expect.stringMatching(/\S.{10,}/),
      });
    }
  });
});
