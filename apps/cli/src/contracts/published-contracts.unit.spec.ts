import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { publishedContracts, requiredEnvelopeFields } from '@latch/contracts';
import ajvModule from 'ajv/dist/2020.js';
import { inCheckout } from '../checkout.ts';
import { compareFiles } from './compare-files.ts';
import { publishedFiles } from './published-files.ts';

const files = publishedFiles();
const schemaOf = (name: string): Record<string, unknown> => JSON.parse(files.get(`${name}/v1/schema.json`) ?? '{}');

describe('the published contracts', () => {
  it('are committed as the sources say', () => {
    expect(compareFiles(inCheckout('contracts'), files)).toEqual([]);
  });

  it('hold a schema of every contract, each of them valid JSON Schema 2020-12', () => {
    const ajv = new ajvModule.default({ strict: false, validateFormats: false });
    for (const { name, version } of publishedContracts) {
      const schema = schemaOf(name);
      expect(schema['$id']).toBe(`urn:latch:contract:${version}`);
      expect(() => ajv.compile(schema)).not.toThrow();
    }
  });

  it('require exactly the seven envelope fields of SPEC-012', () => {
    expect(schemaOf('event-envelope')['required']).toEqual([...requiredEnvelopeFields]);
  });

  it('are open: no schema forbids a field that it does not know', () => {
    for (const [file, text] of files) expect([file, text.includes('"additionalProperties": false')]).toEqual([file, false]);
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
