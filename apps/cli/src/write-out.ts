import { writeFileSync } from 'node:fs';
import { codeOf } from './code-of.ts';

/** Writes the file that `--out` names. @throws Error in a sentence when it cannot be written, such as a folder. */
export function writeOut(file: string, text: string, mode = 0o666): void {
  try {
    writeFileSync(file, text, { mode });
  } catch (error) {
    throw new Error(`--out ${file} cannot be written (${codeOf(error)})`);
  }
}
