/**
 * Serializes a JSON value so that equal values give equal text (RFC 8785: keys sorted by UTF-16 code units, no white space).
 * `undefined` members are left out, as `JSON.stringify` does.
 *
 * @throws TypeError on a value that JSON cannot hold (NaN, Infinity, bigint, function) or that nests deeper than 200 levels.
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0);
}

const maxDepth = 200;

function write(value: unknown, depth: number): string {
  if (depth > maxDepth) throw new TypeError(`canonicalJson: the value nests deeper than ${maxDepth} levels`);
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return writeNumber(value);
  if (Array.isArray(value)) return `[${value.map((entry) => write(entry ?? null, depth + 1)).join(',')}]`;
  if (typeof value === 'object') return writeObject(value, depth);
  throw new TypeError(`canonicalJson: JSON cannot hold a ${typeof value}`);
}

function writeNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`canonicalJson: JSON cannot hold ${value}`);
  return JSON.stringify(value);
}

function writeObject(value: object, depth: number): string {
  let text = '';
  for (const name of Object.keys(value).sort()) {
    const member: unknown = Reflect.get(value, name);
    if (member !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${write(member, depth + 1)}`;
  }
  return `{${text}}`;
}
