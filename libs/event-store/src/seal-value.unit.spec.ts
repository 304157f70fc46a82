import { describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { sealDictionaries } from './seal-dictionary.ts';
import { bytesOfSealed } from './sealed-column.ts';
import {
  type DataKey,
  isSealed,
  keyIdOf,
  openingOf,
  type SealedPlace,
  sealText,
  unsealText,
  unsealWith,
} from './seal-value.ts';

const key: DataKey = { keyId: 4_711, key: randomBytes(32) };
const place: SealedPlace = { tenantId: 'default', stream: 'stream-1', version: 7, field: 'payload' };

/** Any JavaScript string: code units at random, so lone surrogates and U+0000 too. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc.constantFrom('', '\0', '\ud800', 'ab\udfffc', JSON.stringify({ text: 'quero cancelar o pedido PED-1001' })),
);

describe('a sealed text', () => {
  it('comes back as it was, whatever it holds', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(unsealText(sealText(text, key, place), key, place)).toEqual({ ok: true, value: text });
      }),
    );
  });

  it('shows nothing of the text, and another thing each time', () => {
    const text = 'CPF 529.982.247-25 '.repeat(20);
    const sealed = sealText(text, key, place);
    expect(sealed).not.toContain('529.982');
    expect(sealed).not.toBe(sealText(text, key, place));
    expect(isSealed(sealed)).toBe(true);
    expect(keyIdOf(sealed)).toBe(4_711);
  });

  it.each<[string, Partial<SealedPlace>]>([
    ['tenant', { tenantId: 'other' }],
    ['stream', { stream: 'stream-2' }],
    ['version', { version: 8 }],
    ['field', { field: 'state' }],
  ])('does not open in the place of another %s', (_, elsewhere) => {
    const sealed = sealText('segredo', key, place);
    expect(unsealText(sealed, key, { ...place, ...elsewhere })).toEqual({ ok: false, error: 'altered' });
  });

  it('does not open when any bit of it is altered', () => {
    const sealed = sealText('quero cancelar', key, place);
    const bytes = Buffer.from(sealed.slice(2), 'base64url');
    fc.assert(
      fc.property(fc.nat(bytes.length * 8 - 1), (bit) => {
        const altered = Buffer.from(bytes);
        const at = Math.floor(bit / 8);
        altered.writeUInt8(altered.readUInt8(at) ^ (1 << (bit % 8)), at);
        expect(unsealText(`~1${altered.toString('base64url')}`, key, place).ok).toBe(false);
      }),
    );
  });

  it('opens with an opening that opens nothing else', () => {
    const [one, other] = [sealText('quero cancelar', key, place), sealText('quero cancelar', key, place)];
    const opening = openingOf(one, key);
    expect(unsealWith(one, opening, place)).toEqual({ ok: true, value: 'quero cancelar' });
    expect(unsealWith(other, opening, place)).toEqual({ ok: false, error: 'altered' });
    expect(opening.equals(key.key)).toBe(false);
  });

  it('does not open when it is cut, or with the key of somebody else', () => {
    const sealed = sealText('quero cancelar', key, place);
    expect(unsealText(sealed.slice(0, -3), key, place).ok).toBe(false);
    expect(unsealText('~1', key, place).ok).toBe(false);
    expect(unsealText(sealed, { ...key, key: randomBytes(32) }, place).ok).toBe(false);
    expect(keyIdOf('~1AA')).toBeUndefined();
  });

  it('takes less room than the text that it seals, from a few hundred bytes on', () => {
    const slots = {
      slots: [
        {
          kind: 'ask',
          parameter: 'order_id',
          label: 'número do pedido',
          detail: 'Qual é o número do pedido que você quer cancelar?',
        },
      ],
    };
    const text = JSON.stringify({
      ...slots,
      arguments: { order_id: 'PED-1001', reason: 'comprei errado e quero outro tamanho' },
      userId: 'user-123',
    });
    const sealed = sealText(text, key, { ...place, field: 'event.TurnAnswered' });
    expect(bytesOfSealed(sealed).length).toBeLessThan(text.length);
  });
});

describe('the dictionaries of the compressor', () => {
  it('never change: what was sealed with one opens only with it', () => {
    const digests = sealDictionaries.map((words) => createHash('sha256').update(words).digest('hex').slice(0, 16));
    expect(digests).toEqual([
      'b5a1ffb47ea258ff',
      '36694e49b3dfdc92',
      'de67c9417dfb4206',
      'e9c0de726e8f7f7a',
      '636e4d0d22ff0b6a',
    ]);
  });

  it('open what a release sealed before ids were bytes', () => {
    const old = { keyId: 4_711, key: Buffer.alloc(32, 7) };
    const text = JSON.stringify({
      stateVersion: 1,
      transaction: null,
      parked: [],
      text: 'quero cancelar o pedido PED-1001',
    });
    expect(unsealText('~1AQAAAAASZ-cLlunZL0E8opxmiUJnL6zeWN24Is3jEzRRRaWoQiNpk8HVTVgN0jFl8EyTNXs', old, place)).toEqual(
      { ok: true, value: text },
    );
  });
});
