import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { isRecord } from './is-record.ts';
import { jsonSchemaOf } from './json-schema.ts';
import { publishedContracts } from './published-contracts.ts';

type Field = { readonly path: string; readonly schema: Record<string, unknown> };

/** Every field of a JSON Schema, at any depth. */
function fieldsOf(schema: unknown, path: string): readonly Field[] {
  if (!isRecord(schema)) return [];
  const own = Object.entries(isRecord(schema['properties']) ? schema['properties'] : {});
  const fields = own.flatMap(([name, field]) => (isRecord(field) ? [{ path: `${path}.${name}`, schema: field }] : []));
  const nested = [schema['items'], ...[schema['anyOf'], schema['oneOf']].filter(Array.isArray).flat()];
  return [
    ...fields.flatMap((field) => [field, ...fieldsOf(field.schema, field.path)]),
    ...nested.flatMap((part) => fieldsOf(part, `${path}[]`)),
  ];
}

const contracts = publishedContracts.map((contract) => ({ ...contract, json: jsonSchemaOf(contract.schema) }));

describe('the published contracts', () => {
  it('are the fourteen of SPEC-012 section 3 and what the flow of Latch needs beside them', () => {
    expect(publishedContracts.map(({ title }) => title)).toEqual(
      expect.arrayContaining([
        ...['GatewayRequest', 'ChannelResponse', 'BusinessContext', 'AgentState', 'Session', 'Checkpoint'],
        ...['ToolInvocation', 'ToolResult', 'LLMRequest', 'LLMResponse', 'EvaluationRun', 'EvaluationResult'],
        ...['CertificationResult', 'EventEnvelope'],
        ...['ToolExecution', 'StructuredError', 'TransactionDecision', 'EvidenceBundle', 'DeadLetter'],
      ]),
    );
  });
});

describe.each(contracts)('$title', ({ version, schema, json, examples, changes }) => {
  it('says what it means and where it comes from', () => {
    expect(json).toMatchObject({ description: expect.any(String), 'x-source': expect.any(String) });
    expect(version).toMatch(/^[a-z-]+-v1$/);
    expect(changes.length).toBeGreaterThan(0);
  });

  it('says of every field what it means', () => {
    const silent = fieldsOf(json, '').filter(({ schema: field }) => !field['description'] && !('const' in field));
    expect(silent.map(({ path }) => path).filter((path) => !/\.(result|state|envelope|error)$/.test(path))).toEqual([]);
  });

  it.each(Object.entries(examples.valid))('accepts its example "%s" and changes nothing of it', (_, value) => {
    const written: unknown = JSON.parse(JSON.stringify(value));
    expect(schema.parse(written)).toEqual(written);
  });

  it.each(Object.entries(examples.invalid))('refuses its example "%s"', (_, value) => {
    expect(schema.safeParse(JSON.parse(JSON.stringify(value))).success).toBe(false);
  });

  it('keeps a field that it does not know', () => {
    for (const value of Object.values(examples.valid)) {
      const later = { ...z.looseObject({}).parse(value), x_from_the_future: { a: [1] } };
      expect(schema.parse(later)).toMatchObject({ x_from_the_future: { a: [1] } });
    }
  });
});
