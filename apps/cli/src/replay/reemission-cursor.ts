import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { canonicalJson } from '@latch/contracts';
import { z } from 'zod';

const Cursor = z.object({
  /** What is being emitted again: another request must not go on from this place. */
  request: z.record(z.string(), z.unknown()),
  runId: z.string(),
  /** The last stream whose messages are all published; null before the first. */
  after: z.string().nullable(),
  published: z.number().int().nonnegative(),
  isDone: z.boolean(),
});

/** How far a reemission has come: `--resume FILE`. */
export type ReemissionCursor = z.infer<typeof Cursor>;

/**
 * The cursor in a file, or a new one.
 *
 * @throws Error when the file belongs to another request, or cannot be read: going on from it would leave messages out.
 */
export function readCursor(
  file: string | undefined,
  begin: Pick<ReemissionCursor, 'request' | 'runId'>,
): ReemissionCursor {
  const fresh = { ...begin, after: null, published: 0, isDone: false };
  if (file === undefined || !existsSync(file)) return fresh;
  const parsed = Cursor.safeParse(parse(readFileSync(file, 'utf8')));
  if (!parsed.success) throw new Error(`${file} is no cursor of a reemission`);
  if (canonicalJson(parsed.data.request) !== canonicalJson(begin.request)) {
    throw new Error(`${file} belongs to another reemission: ${canonicalJson(parsed.data.request)}`);
  }
  return parsed.data;
}

/** Keeps the place, in one step, so that a crash leaves the old one or the new one. */
export function writeCursor(file: string | undefined, cursor: ReemissionCursor): void {
  if (file === undefined) return;
  writeFileSync(`${file}.new`, `${JSON.stringify(cursor, undefined, 2)}\n`);
  renameSync(`${file}.new`, file);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
