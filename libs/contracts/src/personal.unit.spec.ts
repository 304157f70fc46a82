import { describe, expect, it } from '@jest/globals';
import { jsonSchemaOf } from './json-schema.ts';
import { publishedContracts } from './published-contracts.ts';

/** Paths of the fields that a published schema marks as personal. */
function personalIn(schema: unknown, path = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const properties: unknown = Reflect.get(schema, 'properties');
  const own = Reflect.get(schema, 'x-personal') === true ? [path] : [];
  if (typeof properties !== 'object' || properties === null) return own;
  return [...own, ...Object.entries(properties).flatMap(([name, field]) => personalIn(field, path === '' ? name : `${path}.${name}`))];
}

const marked = Object.fromEntries(publishedContracts.map(({ name, schema }) => [name, personalIn(jsonSchemaOf(schema))]));

describe('the published contracts', () => {
  it.each([
    ['gateway-request', ['payload.message', 'payload.user_id', 'payload.business_context', 'payload.inputs', 'payload.context', 'payload.tool_arguments']],
    ['channel-response', ['text', 'metadata.items', 'metadata.error']],
    ['tool-invocation', ['arguments', 'business_context', 'items']],
    ['tool-execution', ['invocation', 'attempts']],
    ['tool-result', ['data', 'error', 'items']],
    ['business-context', ['customer_key', 'contract_key', 'metadata']],
    ['dead-letter', ['value_base64']],
    ['session', ['user_id']],
  ])('mark what says something about a person in %s', (name, fields) => {
    expect(marked[name]).toEqual(expect.arrayContaining(fields));
  });
});
