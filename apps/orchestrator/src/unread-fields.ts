import { GatewayRequest } from '@latch/contracts';

const outer: ReadonlySet<string> = new Set(Object.keys(GatewayRequest.shape));
const inner: ReadonlySet<string> = new Set(Object.keys(GatewayRequest.shape.payload.shape));

/**
 * The fields of a request that this version of its contract does not know, at the place where they stood. A newer producer may send them; they belong to the
 * evidence of the turn although nothing here reads them (SPEC-012 section 14). What stands inside `inputs`, `business_context`, `metadata` is kept with these.
 */
export function unreadFields(request: GatewayRequest): { readonly unread?: Readonly<Record<string, unknown>> } {
  const besidePayload = Object.entries(request).filter(([name]) => !outer.has(name));
  const inPayload = Object.entries(request.payload).filter(([name]) => !inner.has(name));
  if (besidePayload.length + inPayload.length === 0) return {};
  return {
    unread: {
      ...Object.fromEntries(besidePayload),
      ...(inPayload.length > 0 ? { payload: Object.fromEntries(inPayload) } : {}),
    },
  };
}
