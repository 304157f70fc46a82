import { describe, expect, it, jest } from '@jest/globals';
import { type PrivacyConfig } from '@latch/config';
import { failure, type Result, success } from '@latch/contracts';
import { type Retained } from '@latch/event-store';
import { createLogger } from '@latch/observability';
import { startKeepingRetention } from './keep-retention.ts';

const lines: string[] = [];
const logger = createLogger({ service: 'spec', destination: { write: (line) => lines.push(line) } });
const rules: PrivacyConfig = { defaultDays: 30, tenants: {} };
let appliedAt: number[] = [];
const metrics = { retentionAppliedTime: { set: (_: object, seconds: number) => void appliedAt.push(seconds) } };

async function oneRound(
  read: Result<PrivacyConfig, unknown>,
  apply: (rules: PrivacyConfig) => Promise<Retained>,
): Promise<void> {
  appliedAt = [];
  await startKeepingRetention({ rules: () => Promise.resolve(read), apply, logger, metrics })();
}

describe('the job that keeps retention', () => {
  it('applies the rules as they stand in the file, at once', async () => {
    const apply = jest.fn((_: PrivacyConfig) => Promise.resolve({ keys: 2, rows: 3 }));
    await oneRound(success(rules), apply);
    expect(apply).toHaveBeenCalledWith(rules);
    expect(lines.join()).toContain('retention.applied');
    expect(appliedAt).toHaveLength(2);
  });

  it('lets go of nothing by rules that cannot be read, and does not say that they were applied', async () => {
    const apply = jest.fn((_: PrivacyConfig) => Promise.resolve({ keys: 0, rows: 0 }));
    await oneRound(failure([{ file: 'privacy.yaml' }]), apply);
    expect(apply).not.toHaveBeenCalled();
    expect(lines.join()).toContain('retention.rules_not_read');
    expect(appliedAt).toHaveLength(1);
  });

  it('says that the rules are applied where nothing had to go, too', async () => {
    await oneRound(success({ defaultDays: null, tenants: {} }), () => Promise.resolve({ keys: 0, rows: 0 }));
    expect(appliedAt).toHaveLength(2);
    expect(Math.abs(Date.now() / 1_000 - (appliedAt[1] ?? 0))).toBeLessThan(60);
  });

  it('goes on after a database that was away', async () => {
    const apply = jest.fn((_: PrivacyConfig) => Promise.reject<Retained>(new Error('away')));
    await oneRound(success(rules), apply);
    expect(lines.join()).toContain('retention.not_applied');
    expect(appliedAt).toHaveLength(1);
  });
});
