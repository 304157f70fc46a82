import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parseKeyRing } from '@latch/config';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { personalDataEnvironment, personalDataOfOperator } from './data-key.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'latch-data-key-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the data key of the local system', () => {
  it('is made once, for its owner only, and kept', () => {
    const first = personalDataEnvironment(folder, {});
    expect(parseKeyRing(first['LATCH_DATA_KEY'] ?? '').ok).toBe(true);
    expect(personalDataEnvironment(folder, {})).toEqual(first);
    expect(statSync(path.join(folder, 'data-key')).mode & 0o777).toBe(0o600);
    expect(readFileSync(path.join(folder, 'data-key'), 'utf8').trim()).toBe(first['LATCH_DATA_KEY']);
  });

  it('is not made where the environment says how personal data is kept', () => {
    expect(personalDataEnvironment(folder, { LATCH_PERSONAL_DATA: 'clear' })).toEqual({});
    expect(personalDataEnvironment(folder, { LATCH_DATA_KEY: 'x' })).toEqual({});
  });

  it('is never replaced when it cannot be read: what it sealed would be lost', () => {
    writeFileSync(path.join(folder, 'data-key'), 'broken');
    expect(() => personalDataEnvironment(folder, {})).toThrow(/holds no key/);
    expect(readFileSync(path.join(folder, 'data-key'), 'utf8')).toBe('broken');
  });

  it('opens for the operator what the system has sealed', () => {
    personalDataEnvironment(folder, {});
    expect(personalDataOfOperator(folder, {})).toMatchObject({ current: 'local' });
    expect(() => personalDataOfOperator(path.join(folder, 'elsewhere'), {})).toThrow(/LATCH_DATA_KEY is not set/);
    expect(personalDataOfOperator(folder, { LATCH_PERSONAL_DATA: 'clear' })).toBe('clear');
  });
});
