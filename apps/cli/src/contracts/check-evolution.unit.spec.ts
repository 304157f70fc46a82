import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { inCheckout } from '../checkout.ts';
import { checkEvolution, releasesIn } from './check-evolution.ts';
import { publishedFiles } from './published-files.ts';

const schema = (fields: object, required: readonly string[] = []): string =>
  JSON.stringify({ type: 'object', properties: fields, required });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'latch-released-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function release(version: string, files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, version, file)), { recursive: true });
    writeFileSync(path.join(folder, version, file), text);
  }
}

describe('the working contracts', () => {
  it('break nobody who relies on the last release', () => {
    const released = inCheckout('contracts/released');
    expect(releasesIn(released)).toContain('0.1.0');
    expect(checkEvolution(released, publishedFiles())).toEqual([]);
  });
});

describe('the comparison with the last release', () => {
  it('finds nothing where nothing was released', () => {
    expect(checkEvolution(folder, new Map())).toEqual([]);
  });

  it('looks at the last release, by number and not by letter', () => {
    release('0.9.0', { 'a/v1/schema.json': schema({ gone: {} }) });
    release('0.10.0', { 'a/v1/schema.json': schema({ kept: {} }) });
    expect(releasesIn(folder)).toEqual(['0.9.0', '0.10.0']);
    expect(checkEvolution(folder, new Map([['a/v1/schema.json', schema({ kept: {} })]]))).toEqual([]);
  });

  it('says which file breaks, which rule, and what to do', () => {
    release('1.0.0', { 'a/v1/schema.json': schema({ kept: {} }, ['kept']) });
    const [found] = checkEvolution(folder, new Map([['a/v1/schema.json', schema({ kept: {}, more: {} }, ['kept', 'more'])]]));
    expect(found).toMatchObject({ file: 'a/v1/schema.json' });
    expect(found?.message).toMatch(/more is required now.*SPEC-012 section 14.*new major/);
  });

  it('finds a contract that is gone; a new major beside it is no excuse', () => {
    release('1.0.0', { 'a/v1/schema.json': schema({}) });
    const found = checkEvolution(folder, new Map([['a/v2/schema.json', schema({})]]));
    expect(found).toEqual([{ file: 'a/v1/schema.json', message: expect.stringContaining('stays published') }]);
  });

  it('finds an event type and an error code that are gone, and lets new ones pass', () => {
    release('1.0.0', {
      'events/catalogue.json': JSON.stringify({ events: [{ type: 'IC.A' }, { type: 'IC.B' }] }),
      'errors.json': JSON.stringify({ errors: [{ code: 'a.b' }] }),
    });
    const working = new Map([
      ['events/catalogue.json', JSON.stringify({ events: [{ type: 'IC.A' }, { type: 'IC.C' }] })],
      ['errors.json', JSON.stringify({ errors: [{ code: 'a.c' }] })],
    ]);
    const found = checkEvolution(folder, working).map(({ message }) => message);
    expect(found).toEqual([expect.stringContaining('a.b is gone'), expect.stringContaining('IC.B is gone')]);
  });

  it('lets more values in only when the changelog of the contract says so', () => {
    release('1.0.0', { 'a/v1/schema.json': schema({ kind: { enum: ['x'] } }) });
    const working = (changelog: string): ReadonlyMap<string, string> =>
      new Map([
        ['a/v1/schema.json', schema({ kind: { enum: ['x', 'y'] } })],
        ['a/v1/CHANGELOG.md', changelog],
      ]);
    const [untold] = checkEvolution(folder, working('# A\n\n## 1.0.0\n\n* First published.\n'));
    expect(untold?.message).toMatch(/^kind: more is accepted than in 1\.0\.0\..*SPEC-012 section 14.*upgrade consumers before producers/);
    expect(checkEvolution(folder, working('# A\n\n## unreleased\n\n* `kind` may be y.\n\n## 1.0.0\n'))).toEqual([]);
  });

  it('does not compare recorded messages', () => {
    release('1.0.0', { 'messages/turn.json': '{"anything":1}' });
    expect(checkEvolution(folder, new Map())).toEqual([]);
  });
});
