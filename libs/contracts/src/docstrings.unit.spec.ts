import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { publishedContracts } from './published-contracts.ts';

type Export = { readonly file: string; readonly name: string; readonly docstring: string };

const folder = new URL('./', import.meta.url);
const files = readdirSync(folder).filter((file) => /^[a-z-]+\.ts$/.test(file) && file !== 'index.ts');

/** Every exported symbol with the docstring right before it. The type of a zod schema shares the docstring of its schema. */
const exportsOf = (file: string): readonly Export[] => {
  const text = readFileSync(new URL(file, folder), 'utf8');
  const found = [...text.matchAll(/(\/\*\*(?:(?!\*\/).)*\*\/\n)?export (const|type|function|class) (\w+)([^\n]*)/gs)];
  return found
    .filter(([, , kind, , rest]) => !(kind === 'type' && /^ = z\.infer/.test(rest ?? '')))
    .map(([, docstring = '', , name = '']) => ({ file, name, docstring }));
};

const all = files.flatMap(exportsOf);

describe('every export of the contracts', () => {
  it('has a docstring', () => {
    expect(all.length).toBeGreaterThan(80);
    expect(all.filter(({ docstring }) => docstring === '')).toEqual([]);
  });
});

describe('every wire type', () => {
  const schemas = all.filter(({ file, name }) =>
    new RegExp(`export const ${name} = z\\b`).test(readFileSync(new URL(file, folder), 'utf8')),
  );

  it('shows an example and names its source', () => {
    expect(schemas.length).toBeGreaterThan(30);
    const without = schemas.filter(
      ({ file, docstring }) => file !== 'ids.ts' && !(/@example \S/.test(docstring) && /@see \S/.test(docstring)),
    );
    expect(without.map(({ name }) => name)).toEqual([]);
  });

  it.each(publishedContracts)('$title means in its docstring what its published schema says', ({ title, schema }) => {
    const { docstring = '' } = schemas.find(({ name }) => name === title) ?? {};
    const words = docstring.replaceAll(/\s*\n \*\s*/g, ' ');
    expect(words).toContain((schema.description ?? 'no description').replace(/\.$/, '').split(':')[0]);
  });
});
