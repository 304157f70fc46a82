import { readFileSync } from 'node:fs';
import { readPublicKeys } from '@latch/event-store';
import { codeOf } from '../code-of.ts';

/**
 * The public key that `--public-key` names; none where it is not given.
 *
 * @throws Error in a sentence when there is no such file, or no key in it: that says nothing of what is to be checked.
 */
export function publicKeysOf(file: string | undefined): readonly string[] {
  if (file === undefined) return [];
  const keys = [textOf(file).trim()];
  if (readPublicKeys(keys).ok) return keys;
  throw new Error(`--public-key ${file} must be a PEM file with an Ed25519 public key, and it is not`);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`--public-key ${file} cannot be read (${codeOf(error)})`);
  }
}
