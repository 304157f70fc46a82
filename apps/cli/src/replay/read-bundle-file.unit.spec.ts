import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { readBundleFile } from './read-bundle-file.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'latch-bundle-'));
const fileWith = (name: string, text: string): string => {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
};
afterAll(() => rmSync(folder, { recursive: true }));

it('reads a file whole', () => {
  const text = `{"ção":"${'x'.repeat(3_000_000)}"}`;
  expect(readBundleFile(fileWith('good', text))).toBe(text);
});

it('reads as much as is allowed, and no byte more', () => {
  expect(readBundleFile(fileWith('four', '1234'), 4)).toBe('1234');
  expect(() => readBundleFile(fileWith('five', '12345'), 4)).toThrow('it has more than 4 bytes');
});

it('reads nothing of a file of 1 GB', () => {
  const file = fileWith('large', '');
  truncateSync(file, 1e9);
  const before = process.memoryUsage().rss;
  expect(() => readBundleFile(file)).toThrow('it has more than 134,217,728 bytes');
  expect(process.memoryUsage().rss - before).toBeLessThan(50e6);
});

it('stops reading what has no end and tells no size', () => {
  expect(() => readBundleFile('/dev/zero', 3_000_000)).toThrow('it has more than 3,000,000 bytes');
});

it.each([
  ['a folder', folder, 'it is a folder'],
  ['an empty file', fileWith('empty', ''), 'it is empty'],
  ['nothing', path.join(folder, 'no-such-file'), 'there is no file'],
])('says so of %s', (_what, file, sentence) => {
  expect(() => readBundleFile(file)).toThrow(sentence);
});
