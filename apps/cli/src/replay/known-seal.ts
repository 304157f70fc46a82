import { existsSync, readFileSync } from 'node:fs';
import { isRecord } from '@latch/contracts';
import { type KnownSeal } from '@latch/event-store';

/**
 * The seal that `--last-seal` names: its hash, or a file that tells of it. What `latch verify` printed is such a file, with `--json` or without; so is the signal
 * with which the seal was published, and a file with nothing but the hash. Of several seals it is the one with the highest number.
 *
 * @throws Error when there is no seal in it.
 */
export function knownSealOf(fileOrHash: string): KnownSeal {
  if (isHash(fileOrHash)) return { hash: fileOrHash };
  if (!existsSync(fileOrHash)) {
    throw new Error(`--last-seal must be the hash of a seal or a file that tells of one, not "${fileOrHash}"`);
  }
  const seals = sealsIn(readFileSync(fileOrHash, 'utf8'));
  const last = seals.sort((one, other) => (one.number ?? 0) - (other.number ?? 0)).at(-1);
  if (last === undefined) throw new Error(`${fileOrHash} tells of no seal`);
  return last;
}

function sealsIn(text: string): KnownSeal[] {
  return [text, ...text.split('\n')].flatMap(sealIn);
}

/** A JSON value, or a line for people: `last seal: 12 of 2026-11-30T12:00:00.000Z, <hash>`. */
function sealIn(text: string): KnownSeal[] {
  const line = text.trim();
  if (isHash(line)) return [{ hash: line }];
  const told = /^last seal: (\d+) of \S+, ([0-9a-f]{64})\b/.exec(line);
  if (told) return seal(Number(told[1]), told[2]);
  try {
    return sealOfJson(JSON.parse(line));
  } catch {
    return [];
  }
}

/** A report of `latch verify --json`, the payload or the envelope of a signal, or the seal itself. */
function sealOfJson(value: unknown): KnownSeal[] {
  if (!isRecord(value)) return [];
  const { lastSeal, payload, number, seal_number: published, hash } = value;
  if (lastSeal !== undefined) return sealOfJson(lastSeal);
  if (payload !== undefined) return sealOfJson(payload);
  return seal(published ?? number, hash);
}

function seal(number: unknown, hash: unknown): KnownSeal[] {
  if (typeof hash !== 'string' || !isHash(hash)) return [];
  return typeof number === 'number' && Number.isSafeInteger(number) ? [{ number, hash }] : [];
}

function isHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}
