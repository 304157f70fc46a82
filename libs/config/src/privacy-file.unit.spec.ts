import { describe, expect, it } from '@jest/globals';
import { problemsWith, writeFolder } from './config-folder.features.ts';
import { loadPrivacyConfig } from './privacy-file.ts';

describe('privacy.yaml', () => {
  it('says for how long each tenant keeps personal data', async () => {
    const text =
      'default_retention_days: 365\ntenants:\n  acme: { retention_days: 90 }\n  bank: { retention_days: null }\n';
    const files = { 'privacy.yaml': text };
    expect(await loadPrivacyConfig(writeFolder(files), {})).toEqual({
      ok: true,
      value: { defaultDays: 365, tenants: { acme: 90, bank: null } },
    });
    expect(await problemsWith(files)).toEqual([]);
  });

  it('keeps personal data for ever where it is not there', async () => {
    expect(await loadPrivacyConfig(writeFolder({}), {})).toEqual({
      ok: true,
      value: { defaultDays: null, tenants: {} },
    });
  });

  it('lets go of nothing by rules that cannot be read, and says where they are wrong', async () => {
    const files = { 'privacy.yaml': 'default_retention_days: 0\ntenants:\n  acme: { retention_days: soon }\n' };
    expect(await loadPrivacyConfig(writeFolder(files), {})).toMatchObject({ ok: false });
    const problems = await problemsWith(files);
    expect(problems).toEqual([
      expect.stringMatching(/^privacy.yaml:1:\d+ error default_retention_days must be at least 1/),
      expect.stringMatching(/^privacy.yaml:3:\d+ error tenants.acme.retention_days must be a number/),
    ]);
    expect(await loadPrivacyConfig(writeFolder({ 'privacy.yaml': 'a: [' }), {})).toMatchObject({ ok: false });
  });
});
