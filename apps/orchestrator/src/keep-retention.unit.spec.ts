import { describe, expect, it, jest } from '@jest/globals';
import { type PrivacyConfig } from '@latch/config';
import { failure, type Result, success } from '@latch/contracts';
import { type Retained } from '@latch/event-store';
import { createLogger } from '@latch/observability';
import { startKeepingRetention } from './keep-retention.ts';

const lines: string[] = [];
const logger = createLogger({ service: 'spec', destination: { write: (line) => lines.push(line) } });
const rules: PrivacyConfig = { defaultDays: 30, tenants: {} };

async function oneRound(
  read: Result<PrivacyConfig, unknown>,
  apply: (rules: PrivacyConfig) => Promise<Retained>,
): Promise<void> {
  await startKeepingRetention({ rules: () => Promise.resolve(read), apply, logger })();
}

describe('the job that keeps retention', () => {
  it('applies the rules as they stand in the file, at once', async () => {
    const apply = jest.fn((_: PrivacyConfig) => Promise.resolve({ keys: 2, rows: 3 }));
    await oneRound(success(rules), apply);
    expect(apply).toHaveBeenCalledWith(rules);
    expect(lines.join()).toContain('retention.applied');
  });

  it('lets go of nothing where nobody said for how long, or by rules that cannot be read', async () => {
    const apply = jest.fn((_: PrivacyConfig) => Promise.resolve({ keys: 0, rows: 0 }));
    await oneRound(success({ defaultDays: null, tenants: {} }), apply);
    await oneRound(failure([{ file: 'privacy.yaml' }]), apply);
    expect(apply).not.toHaveBeenCalled();
    expect(lines.join()).toContain('retention.rules_not_read');
  });

  it('goes on after a database that was away', async () => {
    const apply = jest.fn((_: PrivacyConfig) => Promise.reject<Retained>(new Error('away')));
    await oneRound(success(rules), apply);
    expect(lines.join()).toContain('retention.not_applied');
  });
});
