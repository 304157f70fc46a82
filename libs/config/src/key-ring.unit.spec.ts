import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { openWithRing, parseKeyRing, ringKeyIdOf, sealWithRing } from './key-ring.ts';
import { personalDataOf, personalDataSettings } from './personal-data-settings.ts';
import { readEnvironment } from './read-environment.ts';

const first = randomBytes(32).toString('base64');
const second = randomBytes(32).toString('base64');

describe('a key ring', () => {
  it('seals with its first key and opens with all of them', () => {
    const before = ringOf(`2025:${first}`);
    const after = ringOf(`2026:${second}, 2025:${first}`);
    const sealed = sealWithRing(before, Buffer.from('chave'), 'person key 1');
    expect(openWithRing(after, sealed, 'person key 1')).toEqual({ ok: true, value: Buffer.from('chave') });
    expect(ringKeyIdOf(sealWithRing(after, Buffer.from('x'), 'y'))).toBe('2026');
  });

  it('opens nothing in another place, nothing altered, and nothing of a key that it does not hold', () => {
    const ring = ringOf(first);
    const sealed = sealWithRing(ring, Buffer.from('chave'), 'person key 1');
    expect(openWithRing(ring, sealed, 'person key 2').ok).toBe(false);
    expect(openWithRing(ring, `${sealed.slice(0, -2)}AA`, 'person key 1').ok).toBe(false);
    expect(openWithRing(ringOf(`9:${second}`), sealed, 'person key 1')).toEqual({
      ok: false,
      error: 'LATCH_DATA_KEY holds no key with the id 1',
    });
  });

  it.each([
    ['', /must be 32 bytes/],
    ['a:AAAA', /key a must be 32 bytes in base64/],
    [`${first},${second}`, /entry 1 needs an id/],
    [`a b:${first}`, /entry 1 needs an id/],
    [`a:${first},a:${second}`, /stands there twice/],
  ])('says what is wrong with %j, without the key', (text, sentence) => {
    const parsed = parseKeyRing(text);
    expect(parsed).toEqual({ ok: false, error: expect.stringMatching(sentence) });
    expect(JSON.stringify(parsed)).not.toContain(first);
  });
});

describe('the settings of personal data', () => {
  it('are sealed with the key that is given', () => {
    const settings = readEnvironment(personalDataSettings, { LATCH_DATA_KEY: `k:${first}` });
    expect(settings.ok && personalDataOf(settings.value)).toMatchObject({ current: 'k' });
  });

  it('name what to do when there is no key, and stay clear only where that is said', () => {
    const none = readEnvironment(personalDataSettings, {});
    expect(() => none.ok && personalDataOf(none.value)).toThrow(
      /LATCH_DATA_KEY is not set.*openssl rand -base64 32.*LATCH_PERSONAL_DATA=clear/,
    );
    const clear = readEnvironment(personalDataSettings, { LATCH_PERSONAL_DATA: 'clear' });
    expect(clear.ok && personalDataOf(clear.value)).toBe('clear');
  });

  it('tell of a wrong key and do not repeat it', () => {
    const wrong = readEnvironment(personalDataSettings, { LATCH_DATA_KEY: 'geheim' });
    expect(wrong).toEqual({
      ok: false,
      error: expect.stringMatching(/LATCH_DATA_KEY has a wrong value: key 1 must be 32 bytes/),
    });
    expect(JSON.stringify(wrong)).not.toContain('geheim');
  });
});

function ringOf(text: string): Parameters<typeof sealWithRing>[0] {
  const ring = parseKeyRing(text);
  if (!ring.ok) throw new Error(ring.error);
  return ring.value;
}
