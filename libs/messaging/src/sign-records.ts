import { createHmac, timingSafeEqual } from 'node:crypto';
import { type KeyRing } from '@latch/config';
import { type BusMessage } from '@latch/contracts';
import { type Bus, type BusRecord } from './bus.ts';
import { translateBus } from './translate-bus.ts';

/** The header of a signed message: `<key id>.<base64url of HMAC-SHA256>`. */
export const signatureHeader = 'latch-signature';

/** Whether a header's text is built like a signature, right or wrong. */
export function isSignature(text: string | undefined): text is string {
  return text !== undefined && /^[A-Za-z0-9_-]{1,32}\.[A-Za-z0-9_-]{43}$/.test(text);
}

/** The keys of the platform, and what becomes of a message without a signature. */
export type Signing = { readonly keys: KeyRing; readonly unsigned: 'refuse' | 'accept' };

/**
 * A bus on which each message is signed by the service that publishes it and verified by the one that consumes it, so that whoever may only write to the topics
 * can neither speak for a user nor for a tool (invariants I4, I11, I13). The signature is over topic, key and value: a message that was altered, or moved to another
 * topic or conversation, does not verify. A copy in its own place does, and is a redelivery: consumers know its `event_id`.
 *
 * @see docs/adr/0013-messages-are-signed.md
 */
export function signRecords(bus: Bus, signing: Signing): Bus {
  return translateBus(bus, {
    outgoing: (message) => signed(message, signing.keys),
    incoming: (record) => verified(record, signing),
  });
}

function signed(message: BusMessage, { current, keys }: KeyRing): BusMessage {
  const key = keys.get(current);
  if (key === undefined) throw new TypeError(`The key ring holds no key ${current}`);
  const signature = `${current}.${macOf(message, key).toString('base64url')}`;
  return { ...message, headers: { ...message.headers, [signatureHeader]: signature } };
}

/** A record with what stands against its signature, if anything does. */
export function verified<R extends Signed>(record: R, signing: Signing): R & { readonly forgery?: string | undefined } {
  const forgery = forgeryIn(record, signing);
  return forgery === undefined ? record : { ...record, forgery };
}

/** What a signature is over, and where it stands. */
type Signed = Pick<BusRecord, 'topic' | 'key' | 'value' | 'headers'>;

function forgeryIn(record: Signed, { keys: { keys }, unsigned }: Signing): string | undefined {
  const signature = record.headers[signatureHeader];
  if (signature === undefined) return unsigned === 'accept' ? undefined : 'it is not signed';
  const end = signature.indexOf('.');
  const key = keys.get(signature.slice(0, Math.max(0, end)));
  if (key === undefined) return 'it is signed with a key that LATCH_BUS_KEY does not hold';
  const mac = Buffer.from(signature.slice(end + 1), 'base64url');
  const expected = macOf(record, key);
  if (mac.length === expected.length && timingSafeEqual(mac, expected)) return undefined;
  return 'its signature is not of this topic, key and value: it was altered or moved after it was signed';
}

/** The length of the key stands in front, so that no other split of the same bytes has the same signature. */
function macOf(
  { topic, key, value }: Pick<BusRecord, 'topic' | 'key'> & { readonly value: string | Buffer },
  secret: Buffer,
): Buffer {
  const place = `latch-bus-1\n${topic}\n${key === null ? 'none' : Buffer.byteLength(key)}\n${key ?? ''}\n`;
  return createHmac('sha256', secret).update(place).update(value).digest();
}
