import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { publishedContracts, requiredEnvelopeFields } from '@latch/contracts';
import ajvModule from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { inCheckout } from '../checkout.ts';
import { compareFiles } from './compare-files.ts';
import { kafkaRightFiles } from './kafka-right-files.ts';
import { keptFolders, publishedFiles } from './published-files.ts';
import { referencePages } from './reference-pages.ts';

const files = publishedFiles();
const jsonOf = (file: string): Record<string, unknown> => JSON.parse(files.get(file) ?? '{}');
const schemaOf = (name: string): Record<string, unknown> => jsonOf(`${name}/v1/schema.json`);
const ajv = addFormats.default(new ajvModule.default({ strict: false }));

describe('the published contracts', () => {
  it('are committed as the sources say', () => {
    expect(compareFiles(inCheckout('contracts'), files, keptFolders)).toEqual([]);
  });

  it('have a reference page each, committed as the sources say', () => {
    expect(compareFiles(inCheckout('docs/reference/contracts'), referencePages())).toEqual([]);
    expect([...referencePages().keys()]).toHaveLength(publishedContracts.length + 1);
  });

  it('give each service its rights on Kafka, committed as the sources say', () => {
    expect(compareFiles(inCheckout('deploy/kafka'), kafkaRightFiles())).toEqual([]);
  });

  it('require exactly the seven envelope fields of SPEC-012', () => {
    expect(schemaOf('event-envelope')['required']).toEqual([...requiredEnvelopeFields]);
  });

  it('are open: no schema forbids a field that it does not know', () => {
    for (const [file, text] of files)
      expect([file, text.includes('"additionalProperties": false')]).toEqual([file, false]);
  });
});

describe.each(publishedContracts)('the published form of $title', ({ name, version, schema }) => {
  const validate = ajv.compile(schemaOf(name));
  const examples = (kind: string): readonly (readonly [string, unknown])[] =>
    [...files.keys()]
      .filter((file) => file.startsWith(`${name}/v1/examples/${kind}/`))
      .map((file) => [path.basename(file), jsonOf(file)] as const);

  it('is a JSON Schema 2020-12 with a name of its own, and a changelog', () => {
    expect(schemaOf(name)).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: `urn:latch:contract:${version}`,
    });
    expect(files.get(`${name}/v1/CHANGELOG.md`)).toContain(version);
  });

  it.each(examples('valid'))('accepts its example %s, as the source does', (_, value) => {
    expect([validate(value), validate.errors]).toEqual([true, null]);
    expect(schema.safeParse(value).success).toBe(true);
  });

  it.each(examples('invalid'))('refuses its example %s, as the source does', (_, value) => {
    expect(validate(value)).toBe(false);
    expect(schema.safeParse(value).success).toBe(false);
  });
});

describe('comparing a folder with what should be in it', () => {
  it('names what is missing, what was changed and where, and what should not be there', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'latch-contracts-'));
    writeFileSync(path.join(folder, 'same.json'), 'a\n');
    writeFileSync(path.join(folder, 'changed.json'), 'a\nb\n');
    writeFileSync(path.join(folder, 'stray.json'), '');
    const expected = new Map([
      ['same.json', 'a\n'],
      ['changed.json', 'a\nc\n'],
      ['missing/v1.json', 'a\n'],
    ]);
    expect(compareFiles(folder, expected)).toEqual([
      { file: 'changed.json', kind: 'changed', firstDifference: 'line 2: committed "b", sources say "c"' },
      { file: 'missing/v1.json', kind: 'missing', firstDifference: null },
      { file: 'stray.json', kind: 'stray', firstDifference: null },
    ]);
    rmSync(folder, { recursive: true });
  });
});
