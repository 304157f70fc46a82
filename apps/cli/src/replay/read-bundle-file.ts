import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';

/** More than any bundle has: one of a conversation of 100,000 events has some 60 MB. */
const mostBytes = 128 * 1024 * 1024;

/**
 * The text of a file that may be an evidence bundle; of no file more is read than a bundle can have.
 *
 * @throws Error in a sentence: there is no such file, it is a folder, empty, or too large.
 */
export function readBundleFile(file: string, most = mostBytes): string {
  if (!existsSync(file)) throw new Error(`there is no file ${file}`);
  const descriptor = openSync(file, 'r');
  try {
    if (fstatSync(descriptor).isDirectory()) throw new Error(notABundle(file, 'it is a folder'));
    const bytes = readUpTo(descriptor, most);
    if (bytes === undefined) throw new Error(notABundle(file, `it has more than ${most.toLocaleString('en')} bytes`));
    if (bytes.length === 0) throw new Error(notABundle(file, 'it is empty'));
    return bytes.toString('utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** The sentence about a file that is something else. */
export function notABundle(file: string, why: string): string {
  return `${file} is no evidence bundle: ${why}. Give a file that \`latch evidence export\` has written`;
}

/** Piece by piece: a pipe and a device do not say how much they hold. */
function readUpTo(descriptor: number, most: number): Buffer | undefined {
  if (fstatSync(descriptor).size > most) return undefined;
  const pieces: Buffer[] = [];
  for (let left = most + 1; left > 0;) {
    const piece = Buffer.alloc(Math.min(left, 1024 * 1024));
    const length = readSync(descriptor, piece);
    if (length === 0) return Buffer.concat(pieces);
    pieces.push(piece.subarray(0, length));
    left -= length;
  }
  return undefined;
}
