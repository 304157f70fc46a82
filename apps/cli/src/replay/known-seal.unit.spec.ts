import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { knownSealOf } from './known-seal.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'latch-known-seal-'));
afterAll(() => rmSync(folder, { recursive: true }));

const [hash, older] = ['a'.repeat(64), 'b'.repeat(64)];

function fileWith(text: string): string {
  const file = path.join(folder, 'seal.txt');
  writeFileSync(file, text);
  return file;
}

describe('the seal that somebody keeps outside of the database', () => {
  it('may be named by its hash', () => {
    expect(knownSealOf(hash)).toEqual({ hash });
    expect(knownSealOf(fileWith(`${hash}\n`))).toEqual({ hash });
  });

  it.each([
    ['the report for machines', JSON.stringify({ word: 'verify', lastSeal: { number: 7, hash, sealedAt: 'then' } })],
    ['the report for people', `3 streams with 4 events\nlast seal: 7 of 2026-11-30T12:00:00.000Z, ${hash}: keep it\n`],
    ['the published signal', JSON.stringify({ event_type: 'x', payload: { seal_number: 7, hash } }, undefined, 2)],
    [
      'all signals so far',
      [5, 7, 6].map((n) => JSON.stringify({ seal_number: n, hash: n === 7 ? hash : older })).join('\n'),
    ],
    ['the seal itself', JSON.stringify({ number: 7, hash })],
  ])('may be read out of %s', (_what, text) => {
    expect(knownSealOf(fileWith(text))).toEqual({ number: 7, hash });
  });

  it.each(['', 'nothing', '{}', '{"lastSeal":null}', '{"number":7,"hash":"short"}', '[1]'])(
    'is not made up where a file tells of none: %p',
    (text) => {
      expect(() => knownSealOf(fileWith(text))).toThrow('tells of no seal');
    },
  );

  it('must be a hash or a file', () => {
    expect(() => knownSealOf('abc')).toThrow('--last-seal must be the hash of a seal or a file');
  });
});
