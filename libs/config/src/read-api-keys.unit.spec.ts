import { describe, expect, it } from '@jest/globals';
import { readApiKeys } from './read-api-keys.ts';

const hash = 'a'.repeat(64);
const entry = {
  id: 'gateway',
  sha256: hash,
  tenant_id: 'acme',
  scopes: ['speak-for-others', 'read'],
  expires_at: '2027-12-01T00:00:00Z',
};

function read(keys: unknown): unknown {
  return readApiKeys('keys.yaml', Buffer.from(typeof keys === 'string' ? keys : JSON.stringify({ keys })));
}

describe('a file of API keys', () => {
  it('is JSON or YAML', () => {
    const yaml = `version: 1\nkeys:\n  - id: gateway\n    label: of the app\n    sha256: ${hash}\n    tenant_id: acme\n    scopes: [speak-for-others, read]\n    expires_at: 2027-12-01T00:00:00Z\n`;
    const value = [
      { id: 'gateway', sha256: hash, tenantId: 'acme', scopes: entry.scopes, expiresAt: entry.expires_at },
    ];
    expect(read([entry])).toEqual({ ok: true, value });
    expect(read(yaml)).toEqual({ ok: true, value });
    expect(read([])).toEqual({ ok: true, value: [] });
  });

  it.each([
    ['no hash', { ...entry, sha256: undefined }],
    ['a hash of another kind', { ...entry, sha256: 'a'.repeat(40) }],
    ['no tenant', { ...entry, tenant_id: undefined }],
    ['a tenant that is no name', { ...entry, tenant_id: 'acme:retail' }],
    ['no scope', { ...entry, scopes: [] }],
    ['an unknown scope', { ...entry, scopes: ['admin'] }],
    ['no end', { ...entry, expires_at: undefined }],
    ['an end that is no instant', { ...entry, expires_at: 'never' }],
    ['a misspelled name', { ...entry, lable: 'x' }],
    ['a variable of the environment', { ...entry, label: '${HOME}' }],
  ])('is refused whole for one entry with %s, and the place is told', (_, wrong) => {
    expect(read([{ ...entry, id: 'other', sha256: 'b'.repeat(64) }, wrong])).toMatchObject({
      ok: false,
      error: [{ file: 'keys.yaml', line: 1, message: expect.stringMatching(/\S/) }],
    });
  });

  it('is refused when two keys share a name or a hash', () => {
    expect(read([entry, { ...entry, sha256: 'b'.repeat(64) }])).toMatchObject({ ok: false });
    expect(read([entry, { ...entry, id: 'other' }])).toMatchObject({ ok: false });
  });

  it('is refused when it is no file of keys', () => {
    for (const text of ['', 'keys', '[]', 'keys: [', '{}']) expect(read(text)).toMatchObject({ ok: false });
  });

  it('repeats no key that somebody has put into it in the clear', () => {
    const key = `latch_${'k'.repeat(43)}`;
    for (const wrong of [
      { ...entry, sha256: key },
      { ...entry, scopes: key },
      { ...entry, scopes: [key] },
      { ...entry, [key]: 1 },
    ])
      expect(JSON.stringify(read([wrong]))).not.toContain('kkkk');
  });

  it('holds a thousand keys and no more', () => {
    const keys = Array.from({ length: 1_001 }, (_, index) => ({
      ...entry,
      id: `k${index}`,
      sha256: index.toString(16).padStart(64, '0'),
    }));
    expect(read(keys.slice(1))).toMatchObject({ ok: true });
    expect(read(keys)).toMatchObject({ ok: false });
  });
});
