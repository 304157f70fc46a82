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

  it.each([
    [
      'a key that is misspelled',
      { 'privacy.yaml': 'default_retention_day: 30\n' },
      /Did you mean "default_retention_days"/,
    ],
    [
      'tenants that are misspelled beside a default',
      { 'privacy.yaml': 'default_retention_days: 30\ntenant:\n  bank: { retention_days: null }\n' },
      /tenant is not a known key and by a file with it nothing is let go of/,
    ],
    [
      'an unknown key of a tenant',
      { 'privacy.yaml': 'tenants:\n  acme: { retention_days: 90, legal_hold: true }\n' },
      /tenants.acme.legal_hold is not a known key/,
    ],
    ['days that are a fraction', { 'privacy.yaml': 'default_retention_days: 0.5\n' }, /default_retention_days/],
    ['days as text', { 'privacy.yaml': 'default_retention_days: "30"\n' }, /must be a number, not the text/],
    ['a tenant without days', { 'privacy.yaml': 'tenants:\n  acme: 90\n' }, /tenants.acme must be a map/],
    ['a key that stands there twice', { 'privacy.yaml': 'version: 1\nversion: 1\n' }, /a second time/],
    ['a variable that is not set', { 'privacy.yaml': 'version: ${NOT_SET}\n' }, /NOT_SET/],
    ['another ending', { 'privacy.yml': 'default_retention_days: 30\n' }, /Rename it to privacy.yaml/],
  ])('gives no rules for %s, and says what to do', async (_, files, sentence) => {
    const rules = await loadPrivacyConfig(writeFolder(files), {});
    expect(rules.ok ? rules.value : rules.error.map(({ message }) => message).join()).toMatch(sentence);
  });

  it('gives no rules for a folder that is not there', async () => {
    const rules = await loadPrivacyConfig('/nowhere/at/all', {});
    expect(rules.ok ? rules.value : rules.error[0]?.message).toContain('Set LATCH_CONFIG_DIR');
  });

  it('keeps the platform running with a key that a newer release may know, and says what comes of it', async () => {
    expect(await problemsWith({ 'privacy.yaml': 'legal_hold: true\n' })).toEqual([
      expect.stringMatching(
        /^privacy.yaml:1:1 warning legal_hold is not a known key and by a file with it nothing is let go of/,
      ),
    ]);
  });
});
