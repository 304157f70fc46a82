import { type KeyRing, openWithRing, sealWithRing } from '@latch/config';
import { type BusMessage, DeadLetter, parseJson, topics } from '@latch/contracts';
import { type Bus, type BusRecord } from './bus.ts';
import { translateBus } from './translate-bus.ts';

/**
 * A bus on which the original bytes of dead letters are sealed: whoever reads the topic sees why a message could not be handled, and not what a person had
 * written in it (invariant I16). What is consumed through it is opened again, for the console, which shows it masked.
 */
export function sealLetters(bus: Bus, ring: KeyRing): Bus {
  return translateBus(bus, {
    outgoing: (message) => sealMessage(message, ring),
    incoming: (record) => openRecord(record, ring),
  });
}

function sealMessage(message: BusMessage, ring: KeyRing): BusMessage {
  if (message.topic !== topics.deadLetters) return message;
  const value = rewrite(message.value, (letter) => {
    if (letter.value_sealed !== undefined) return letter;
    const bytes = Buffer.from(letter.value_base64, 'base64');
    return { ...letter, value_base64: '', value_sealed: sealWithRing(ring, bytes, placeOf(letter)) };
  });
  return value === undefined ? message : { ...message, value };
}

function openRecord(record: BusRecord, ring: KeyRing): BusRecord {
  if (record.topic !== topics.deadLetters) return record;
  const value = rewrite(record.value.toString(), (letter) => openLetter(letter, ring));
  return value === undefined ? record : { ...record, value: Buffer.from(value) };
}

/** A dead letter as it was before it was sealed, for who reads the topic past the bus. One that does not open is given back as it is. */
export function openLetter(letter: DeadLetter, ring: KeyRing): DeadLetter {
  const { value_sealed: sealed, ...rest } = letter;
  const opened = sealed === undefined ? undefined : openWithRing(ring, sealed, placeOf(letter));
  return opened?.ok ? { ...rest, value_base64: opened.value.toString('base64') } : letter;
}

/** The envelope with its letter rewritten; undefined when there is no letter in it. */
function rewrite(envelope: string, change: (letter: DeadLetter) => DeadLetter): string | undefined {
  const json = parseJson(Buffer.from(envelope));
  if (!json.ok || typeof json.value !== 'object' || json.value === null) return undefined;
  const letter = DeadLetter.safeParse(Reflect.get(json.value, 'payload'));
  return letter.success ? JSON.stringify({ ...json.value, payload: change(letter.data) }) : undefined;
}

function placeOf({ source }: DeadLetter): string {
  return JSON.stringify(['latch-dead-letter-v1', source.topic, source.partition, source.offset]);
}
