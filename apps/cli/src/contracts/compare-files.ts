import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** One committed file that is not what the sources say. */
export type FileDifference = {
  readonly file: string;
  readonly kind: 'missing' | 'changed' | 'stray';
  /** The first line that differs, where both have text. */
  readonly firstDifference: string | null;
};

/**
 * Compares a folder with what should be in it; an empty list means that they are equal, byte for byte.
 *
 * @param kept subfolders that hold other things and are not looked at.
 */
export function compareFiles(
  folder: string,
  expected: ReadonlyMap<string, string>,
  kept: readonly string[] = [],
): readonly FileDifference[] {
  const wrong = [...expected].flatMap(([file, text]) => compareFile(folder, file, text));
  const isKept = (file: string): boolean => kept.some((name) => file.startsWith(`${name}/`));
  const strays = filesIn(folder).filter((file) => !expected.has(file) && !isKept(file));
  return [...wrong, ...strays.map((file): FileDifference => ({ file, kind: 'stray', firstDifference: null }))];
}

/** Every file below a folder, as paths relative to it. */
export function filesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(path.join(folder, file)).isFile())
    .sort();
}

function compareFile(folder: string, file: string, text: string): readonly FileDifference[] {
  const full = path.join(folder, file);
  if (!existsSync(full)) return [{ file, kind: 'missing', firstDifference: null }];
  const committed = readFileSync(full, 'utf8');
  return committed === text ? [] : [{ file, kind: 'changed', firstDifference: firstDifference(committed, text) }];
}

function firstDifference(committed: string, expected: string): string {
  const [old, now] = [committed.split('\n'), expected.split('\n')];
  const line = now.findIndex((text, at) => text !== old[at]);
  const at = line < 0 ? now.length : line;
  return `line ${at + 1}: committed ${JSON.stringify(old[at] ?? '')}, sources say ${JSON.stringify(now[at] ?? '')}`;
}
