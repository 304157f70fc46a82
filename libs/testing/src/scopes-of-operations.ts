import { z } from 'zod';

const Document = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.unknown()).transform(({ servers: _servers, ...operations }) => operations),
  ),
});
const Operation = z.looseObject({ security: z.array(z.strictObject({ credential: z.tuple([z.string()]) })) });

/** The scopes that an OpenAPI document names for each operation, such as `GET /v1/turns/{turn_id}`, sorted. @throws when one says nothing of security. */
export function scopesOfOperations(document: object): Readonly<Record<string, readonly string[]>> {
  const operations = Object.entries(Document.parse(document).paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): readonly [string, readonly string[]] => {
      const scopes = Operation.parse(operation).security.flatMap(({ credential }) => credential);
      return [`${method.toUpperCase()} ${path}`, scopes.sort()];
    }),
  );
  return Object.fromEntries(operations);
}

/** The same as a table of endpoints says it; `open` are those that need none. */
export function scopesOfTable(
  endpoints: Readonly<Record<string, { readonly scopes: readonly string[] }>>,
  open: readonly string[],
): Readonly<Record<string, readonly string[]>> {
  const needed = Object.entries(endpoints).map(([operation, { scopes }]): [string, string[]] => [
    operation,
    [...scopes].sort(),
  ]);
  return Object.fromEntries([...needed, ...open.map((operation): [string, string[]] => [operation, []])]);
}
