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
