import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { readApiKeys } from '@latch/config';
import { newApiKey } from './api-key-new.ts';

const options = { tenant: 'acme', scope: ['speak-for-others', 'read'], id: 'gateway', days: '90' };

afterEach(() => void jest.restoreAllMocks());

function printed(of: Partial<Parameters<typeof newApiKey>[0]> = {}): string {
  const lines: string[] = [];
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(String(text));
    return true;
  });
  newApiKey({ ...options, ...of });
  return lines.join('');
}

describe('latch api-key new', () => {
  it('prints a key once, and the entry that knows it', () => {
    const text = printed({ label: 'of the app' });
    const [key = '', ...more] = text.match(/latch_\S+/g) ?? [];
    expect(more).toEqual([]);
    const yaml = text.slice(text.indexOf('keys:'));
    const sha256 = createHash('sha256').update(key).digest('hex');
    expect(readApiKeys('keys.yaml', Buffer.from(yaml))).toMatchObject({
      ok: true,
      value: [{ id: 'gateway', tenantId: 'acme', scopes: options.scope, sha256 }],
    });
    expect(yaml).not.toContain(key);
  });

  it('makes a key that is good for as long as was asked', () => {
    const { entry } = JSON.parse(printed({ json: true, days: '2' }));
    expect(Math.round((Date.parse(entry.expires_at) - Date.now()) / 3_600_000)).toBe(48);
  });

  it.each([
    [{ scope: ['admin'] }, /scopes\[0\].*Scopes are speak, speak-for-others, read, operate, evaluate/],
    [{ tenant: 'a:b' }, /tenant_id/],
    [{ id: 'no name' }, /id/],
    [{ days: '0' }, /--days/],
    [{ days: '1e9' }, /--days/],
  ])('makes none that no file would take: %j', (wrong, sentence) => {
    expect(() => newApiKey({ ...options, ...wrong })).toThrow(sentence);
  });
});
