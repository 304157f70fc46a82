import { describe, expect, it } from '@jest/globals';
import { tenantOf } from './tenant-of.ts';
import { userOf } from './user-of.ts';

const forbidden = { ok: false, error: { status: 403, code: 'auth.forbidden' } };

describe('without credentials', () => {
  it('a request may name any tenant, and is of the default one where it names none', () => {
    expect(tenantOf({ tenantId: null }, { named: 'acme', byDefault: 'default' })).toMatchObject({ value: 'acme' });
    expect(tenantOf({ tenantId: null }, { named: undefined, byDefault: 'default' })).toMatchObject({
      value: 'default',
    });
  });

  it('and without a default tenant, a request must name its tenant', () => {
    expect(tenantOf({ tenantId: null }, { named: undefined, byDefault: null })).toMatchObject({
      ok: false,
      error: { status: 422, code: 'request.invalid', errors: [{ path: 'query.tenant_id' }] },
    });
  });
});

describe('with the credential of a tenant', () => {
  it('a request acts for that tenant, and may repeat its name', () => {
    expect(tenantOf({ tenantId: 'acme' }, { named: undefined, byDefault: 'default' })).toMatchObject({ value: 'acme' });
    expect(tenantOf({ tenantId: 'acme' }, { named: 'acme', byDefault: 'default' })).toMatchObject({ value: 'acme' });
  });

  it('a request that names another tenant is refused', () => {
    expect(tenantOf({ tenantId: 'acme' }, { named: 'other', byDefault: 'default' })).toMatchObject(forbidden);
  });
});

describe('with the credential of a user', () => {
  it('a request speaks as that user, and may repeat the name', () => {
    expect(userOf({ userId: 'ana' }, undefined)).toEqual({ ok: true, value: 'ana' });
    expect(userOf({ userId: 'ana' }, 'ana')).toEqual({ ok: true, value: 'ana' });
    expect(userOf({ userId: 'ana' }, 'bia')).toMatchObject(forbidden);
  });

  it('and with one that speaks for others, as whom it names', () => {
    expect(userOf({ userId: null }, 'bia')).toEqual({ ok: true, value: 'bia' });
    expect(userOf({ userId: null }, undefined)).toEqual({ ok: true, value: undefined });
  });
});
