import { describe, expect, it } from '@jest/globals';
import { authenticator, tenantOf } from './auth.ts';

describe('without credentials', () => {
  it('everybody is let in, and may name any tenant', () => {
    const principal = authenticator('off')({});
    expect(principal).toEqual({ ok: true, value: { tenantId: null } });
    expect(tenantOf({ tenantId: null }, { named: 'acme', byDefault: 'default' })).toMatchObject({ value: 'acme' });
    expect(tenantOf({ tenantId: null }, { named: undefined, byDefault: 'default' })).toMatchObject({
      value: 'default',
    });
  });
});

describe('without credentials and without a default tenant', () => {
  it('a request must name its tenant', () => {
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
    expect(tenantOf({ tenantId: 'acme' }, { named: 'other', byDefault: 'default' })).toMatchObject({
      ok: false,
      error: { status: 403, code: 'auth.forbidden' },
    });
  });
});
