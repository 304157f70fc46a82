import { type BusinessContext, type GatewayRequest, type IdentityConfig } from '@latch/contracts';

/**
 * The business context of a request: what the request says itself, and what `identity.yaml` finds in the fields of its channel for keys that it leaves out. The
 * result is recorded with the turn, so that a replay sees what was used.
 */
export function businessContextOf(request: GatewayRequest, identity: IdentityConfig | undefined): BusinessContext {
  const given = request.payload.business_context ?? {};
  if (identity === undefined) return given;
  const own = Object.hasOwn(identity.channels, request.channel) ? identity.channels[request.channel] : undefined;
  const found = [identity.everywhere, own ?? {}].flatMap((rules) =>
    Object.entries(rules).flatMap(([key, paths]) => {
      const value = firstText(request.payload, paths);
      return value === null ? [] : [[key, value] as const];
    }),
  );
  const said = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  return { ...given, ...Object.fromEntries([...found, ...said]) };
}

function firstText(payload: GatewayRequest['payload'], paths: readonly string[]): string | null {
  for (const path of paths) {
    const value = textOf(valueAt(payload, path));
    if (value !== null) return value;
  }
  return null;
}

function valueAt(payload: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, step) => {
    const isOpen = typeof value === 'object' && value !== null && Object.hasOwn(value, step);
    return isOpen ? Reflect.get(value, step) : undefined;
  }, payload);
}

/** An identity is a short text, or a number as channels send it. */
function textOf(value: unknown): string | null {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' || text.length > 200 ? null : text;
}
