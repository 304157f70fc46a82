import { type Ingress } from './ingress.ts';
import { type Turn } from './turn.ts';

/** Where a caller that did not wait for the answer finds it. */
export type TurnStatus = { readonly turn_id: string; readonly status_url: string };

/** The status of a turn for its caller; the default tenant is not named in the address. */
export function turnStatusOf({ turnId, tenantId }: Turn, { defaultTenantId }: Ingress['config']): TurnStatus {
  const tenant = tenantId === defaultTenantId ? '' : `?tenant_id=${encodeURIComponent(tenantId)}`;
  return { turn_id: turnId, status_url: `/v1/turns/${turnId}${tenant}` };
}
