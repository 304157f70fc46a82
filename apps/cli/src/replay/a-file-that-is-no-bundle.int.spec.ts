import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { inCheckout } from '../checkout.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'latch-no-bundle-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(name: string, text: string, length?: number): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  if (length !== undefined) truncateSync(file, length);
  return file;
}

function verify(...args: readonly string[]): { readonly code: number | null; readonly said: unknown } {
  const command = [inCheckout('apps/cli/dist/main.js'), 'verify', ...args, '--json'];
  const { status, stdout } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  return { code: status, said: JSON.parse(stdout) };
}

const bundle = JSON.stringify({ contract_version: 'evidence-bundle-v1', transaction_id: 'tx-1' });

describe('latch verify of a file that is no bundle', () => {
  it.each([
    ['a folder', folder, 'it is a folder'],
    ['nothing', path.join(folder, 'nothing'), 'there is no file'],
    ['an empty file', fileWith('empty', ''), 'it is empty'],
    ['1 GB of anything', fileWith('large', 'x', 1e9), 'it has more than'],
    ['a text', fileWith('text', 'hello'), 'it is no JSON'],
    ['a bundle that breaks off', fileWith('cut', bundle.slice(0, -5)), 'not all of it is there'],
    ['other JSON', fileWith('other', '{"a":1}'), 'its contract_version is not evidence-bundle-v1: it has none'],
    ['one of another release', fileWith('next', bundle.replace('-v1', '-v9')), 'it is "evidence-bundle-v9"'],
  ])('could not run, and says what it is instead: %s', (_what, file, sentence) => {
    expect(verify(file)).toEqual({
      code: 2,
      said: { outcome: 'could_not_run', reason: expect.stringContaining(sentence) },
    });
  });

  it('says that it differs where it says of itself that it is one', () => {
    const damaged = verify(fileWith('damaged', bundle));
    expect(damaged).toMatchObject({ code: 1, said: { outcome: 'differs', findings: expect.any(Array) } });
  });

  it('could not run with a public key that is none: that says nothing of the file', () => {
    const ended = verify(fileWith('bundle', bundle), '--public-key', fileWith('key', 'no key'));
    expect(ended).toMatchObject({ code: 2, said: { outcome: 'could_not_run' } });
  });
});
