/** What stands beside the payload in a GatewayRequest; everything else of a flat one belongs into it. */
const outerFields: ReadonlySet<string> = new Set(['channel', 'tenant_id', 'agent_id']);
/** BusinessContext keys that the ancestor also took one level higher. */
const businessKeys: ReadonlySet<string> = new Set([
  'customer_key',
  'contract_key',
  'interaction_key',
  'account_key',
  'resource_key',
  'session_key',
]);

/**
 * Whether a body is a GatewayRequest as the ancestor platform's channels send it: the fields of the payload at the top level, without `payload`.
 *
 * @see SPEC-003 of the ancestor platform
 */
export function isFlatRequest(body: unknown): body is Readonly<Record<string, unknown>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || Object.hasOwn(body, 'payload')) return false;
  return ['message', 'text', 'session_id', 'message_id'].some((field) => Object.hasOwn(body, field));
}

/**
 * Turns the ancestor's flat request into GatewayRequest version 1: the payload's fields move into `payload`, `text` becomes `message`, business keys
 * become `business_context`. Where both spellings are given the current one wins. Nothing is invented and nothing is dropped.
 *
 * @example nestFlatRequest({ channel: 'web', text: 'oi', session_id: 's', message_id: 'm' })
 * // { channel: 'web', payload: { message: 'oi', session_id: 's', message_id: 'm' } }
 */
export function nestFlatRequest(flat: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields = Object.entries(flat);
  const outer = fields.filter(([name]) => outerFields.has(name));
  const inner = fields.filter(([name]) => !outerFields.has(name) && !businessKeys.has(name));
  const { text, ...payload } = Object.fromEntries(inner);
  const message = payload['message'] ?? text;
  return {
    ...Object.fromEntries(outer),
    payload: { ...payload, ...(message === undefined ? {} : { message }), ...businessContextOf(flat) },
  };
}

function businessContextOf(flat: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const keys = Object.entries(flat).filter(([name]) => businessKeys.has(name));
  const given = flat['business_context'];
  if (keys.length === 0) return {};
  return { business_context: { ...Object.fromEntries(keys), ...(typeof given === 'object' ? given : {}) } };
}
