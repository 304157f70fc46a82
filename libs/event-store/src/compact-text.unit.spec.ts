import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compactText, isCompactable } from './compact-text.ts';
import { expandText } from './expand-text.ts';
import { storedWords } from './stored-words.ts';

const id = randomUUID();
const digest = createHash('sha256').update(id).digest('hex');
const sealed = `~1${createHash('sha512').update(id).digest('base64url')}`;

/** What looks like something that is made shorter, and is not quite. */
const nearly = fc.constantFrom(
  ...[
    id,
    id.toUpperCase(),
    `${id.slice(1)}x`,
    digest,
    digest.toUpperCase(),
    digest.slice(32),
    sealed,
    `${sealed}=`,
    '~1',
    '~1A',
    '~',
  ],
  ...['2026-11-30T12:00:00.000Z', '2026-13-30T12:00:00.000Z', '1969-11-30T12:00:00.000Z', '+02026-1-30T12:00:00.000Z'],
  ...[
    Buffer.alloc(32, 255).toString('base64url'),
    'x'.repeat(43),
    'é'.repeat(36),
    `default:agent:${id}`,
    `a:${digest}`,
  ],
  ...['TurnReceived', 'null', ',', '\\', '"', '\\"', '\u007f', '\u2028', '😀', '{}', ''],
);
const json = fc.json().map((text) => text);
const ofNearly = fc
  .array(
    fc.tuple(fc.oneof(nearly, fc.constantFrom('turnId', 'type', 'input', '~')), fc.oneof(nearly, fc.constant(null))),
  )
  .map((entries) => JSON.stringify(entries.map(([name, value]) => ({ [name]: value, name: [value, true, {}, []] }))));
const cut = fc.tuple(ofNearly, fc.nat(400)).map(([text, at]) => text.slice(at));

describe('a compact text', () => {
  it.each([true, false])(
    'gives back any text that holds no control character, with words or without (%s)',
    (withWords) => {
      const context = ['2026-11-30T12:00:00.000Z', id, id];
      const texts = fc.oneof(json, ofNearly, cut, fc.string({ unit: 'grapheme' })).filter(isCompactable);
      fc.assert(
        fc.property(texts, (text) => {
          expect(expandText(compactText(text, { withWords, context }), { context })).toBe(text);
          expect(expandText(compactText(text, { withWords }))).toBe(text);
        }),
        { numRuns: 500 },
      );
    },
  );

  it('names each id once, and never again', () => {
    const once = compactText(JSON.stringify([id]));
    expect(once).toHaveLength(2 + 1 + 16);
    expect(compactText(JSON.stringify([id, id]))).toHaveLength(once.length + 1 + 2);
    expect(compactText(JSON.stringify([id]), { context: [id] })).toHaveLength(2 + 2);
  });

  it('never takes more than its UTF-8', () => {
    fc.assert(
      fc.property(fc.oneof(json, ofNearly), (text) => {
        expect(compactText(text, { withWords: true }).length).toBeLessThanOrEqual(Buffer.byteLength(text));
      }),
    );
  });

  it('is refused, and nothing else, when it was altered', () => {
    const bytes = compactText(JSON.stringify({ turnId: id, type: 'TurnReceived', '~': sealed }), { withWords: true });
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const altered = Buffer.from(bytes);
      altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      try {
        expect(expandText(altered)).not.toBe(expandText(bytes));
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }
  });

  it.each(['a\u0001b', 'a\u000eb', 'a\u001fb', '\ud800'])('is not made of %j', (text) => {
    expect(isCompactable(text)).toBe(false);
  });
});

describe('the words of stored events', () => {
  it('keep their places for ever: new ones come at the end', () => {
    expect(createHash('sha256').update(storedWords.slice(0, 154).join('\n')).digest('hex').slice(0, 16)).toBe(
      'eb34a7d972a2c579',
    );
    expect(storedWords.length).toBeLessThanOrEqual(256);
    expect(storedWords.every((word) => /^"[A-Za-z_~]+":?$/.test(word))).toBe(true);
  });
});
