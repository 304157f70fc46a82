/** Whether a value is a JSON object: neither null, nor a list, nor a plain value. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
