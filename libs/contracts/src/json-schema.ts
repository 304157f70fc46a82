import { z } from 'zod';

/**
 * The JSON Schema 2020-12 of a contract, as a producer must fill it in: open to unknown fields, and what has a default may be left out. Without `$schema`,
 * so that it can stand inside another document.
 */
export function jsonSchemaOf(schema: z.ZodType): Record<string, unknown> {
  const {
    $schema: _dialect,
    '~standard': _standard,
    ...plain
  } = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' });
  return plain;
}
