import { describe, expect, it } from '@jest/globals';
import { canonicalJson } from './canonical-json.ts';
import { publishedContracts } from './published-contracts.ts';

const limitMs = 50;
const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

/** Texts that JSON.parse reads without a word, and that a careful producer never sends. */
const hostile = [
  ['__proto__', '{"__proto__":{"isAdmin":true},"payload":{"__proto__":{"isAdmin":true}}}'],
  ['constructor', '{"constructor":{"prototype":{"isAdmin":true}}}'],
  ['10,000 levels', nested(10_000)],
  ['10,000 levels in a payload', `{"payload":${nested(10_000)}}`],
  ['10,000 fields', JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`f${n}`, n])))],
  ['a list of 100,000', JSON.stringify(Array.from({ length: 100_000 }, () => 0))],
  ['huge numbers', '{"version":1e308,"latency_ms":1e999,"rev":123456789012345678901234567890}'],
  ['lone surrogates', '{"channel":"\\ud800","session_id":"\\udfff","text":"\\ud83d"}'],
  ['names given twice', '{"channel":"web","channel":7,"payload":{},"payload":7}'],
  ['a string of 200,000 characters', JSON.stringify({ channel: 'a'.repeat(200_000), event_type: 'IC.'.repeat(60_000) })],
  ['null', 'null'],
] as const;

/** The least processor time of twelve runs: what the others cost tells how busy the machine is. (`processorMs` of the testing lib, which this one may not import.) */
function fastestMs(work: () => unknown): number {
  const times = Array.from({ length: 12 }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}

/** Contracts that a small open object may satisfy: every field of theirs is optional. */
const open = new Set(['BusinessContext', 'TransactionDecision']);

describe.each(hostile)('a message with %s', (_, text) => {
  const value: unknown = JSON.parse(text);

  it.each(publishedContracts.map(({ title, schema }) => [title, schema] as const))(
    'is judged by %s in under 50 ms, without a crash, and pollutes no object',
    (title, schema) => {
      const parsed = schema.safeParse(value);
      expect(fastestMs(() => schema.safeParse(value))).toBeLessThan(limitMs);
      if (!open.has(title)) expect(parsed.success).toBe(false);
      expect(Reflect.get({}, 'isAdmin')).toBeUndefined();
      expect(Object.getPrototypeOf(parsed.success ? (parsed.data ?? {}) : {})).toBe(Object.prototype);
    },
  );
});

describe('canonical JSON', () => {
  it.each([
    ['10,000 levels', JSON.parse(nested(10_000)), /200 levels/],
    ['NaN', { a: NaN }, /NaN/],
    ['Infinity', { a: [Infinity] }, /Infinity/],
    ['a function', { a: () => 1 }, /function/],
  ])('refuses %s with a reason, fast', (_, value, reason) => {
    expect(fastestMs(() => expect(() => canonicalJson(value)).toThrow(reason))).toBeLessThan(limitMs);
  });
});
