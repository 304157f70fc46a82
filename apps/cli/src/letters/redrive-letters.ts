import { setTimeout as pause } from 'node:timers/promises';
import { type BusMessage, type DeadLetterRedrive, RetryableError, TerminalError } from '@latch/contracts';
import { type Bus, type Redrivable, redriveMark } from '@latch/messaging';
import { type Letter } from './letter.ts';

/** A letter whose message may be sent. */
export type LetterToSend = { readonly letter: Letter; readonly redrivable: Redrivable };

/** How messages are sent. */
export type SendingOptions = {
  /** The bus as it is: a message goes back with the signature that it had, and gets no other. */
  readonly plain: Pick<Bus, 'publish'>;
  /** The bus on which what is published is signed, where the services sign: for the marks. */
  readonly signed: Pick<Bus, 'publish'>;
  readonly by: string;
  readonly runId: string;
  /** Messages a second. */
  readonly rate: number;
  readonly now: () => string;
  readonly isStopped: () => boolean;
  /** Told after each letter. */
  readonly onProgress: (sent: number) => void;
};

/** How far a sending came, and how it ended. */
export type Sending = {
  readonly sent: readonly Letter[];
  /** Those that the bus does not take at all. */
  readonly tooLarge: readonly Letter[];
  /** `all`: behind the last one. `stopped`: between two, by hand. `broken_off`: at a letter of which nobody knows whether it went, since Kafka went away. */
  readonly end: { readonly how: 'all' | 'stopped' } | { readonly how: 'broken_off'; readonly why: string };
};

/**
 * Sends messages again, one after the other, in the order given. Of each it remembers that it is about to be sent before it is, and that it was sent when its topic
 * has it, or that the topic does not take it: after a crash the letter in between is known for unclear, and none is sent twice without being told.
 */
export async function redriveLetters(letters: readonly LetterToSend[], options: SendingOptions): Promise<Sending> {
  const [sent, tooLarge]: [Letter[], Letter[]] = [[], []];
  const begin = performance.now();
  for (const [index, { letter, redrivable }] of letters.entries()) {
    await pauseUntil(begin + (index / options.rate) * 1_000);
    if (options.isStopped()) return { sent, tooLarge, end: { how: 'stopped' } };
    try {
      const isTaken = await sendOne(letter, redrivable, options);
      (isTaken ? sent : tooLarge).push(letter);
    } catch (error) {
      if (!(error instanceof RetryableError)) throw error;
      return { sent, tooLarge, end: { how: 'broken_off', why: brokenAt(letter, error) } };
    }
    options.onProgress(sent.length);
  }
  return { sent, tooLarge, end: { how: 'all' } };
}

/** @returns whether the topic takes the message. */
async function sendOne(letter: Letter, { message }: Redrivable, options: SendingOptions): Promise<boolean> {
  const mark = (step: DeadLetterRedrive['step']): Promise<void> =>
    options.signed.publish([redriveMark(letter.envelope, stepOf(letter, step, options))]);
  await mark('begun');
  const isTaken = await publishIfTaken(message, options);
  await mark(isTaken ? 'sent' : 'refused');
  return isTaken;
}

async function publishIfTaken(message: BusMessage, { plain }: SendingOptions): Promise<boolean> {
  try {
    await plain.publish([message]);
    return true;
  } catch (error) {
    if (error instanceof TerminalError) return false;
    throw error;
  }
}

function stepOf(
  { envelope, partition, offset, content: { source } }: Letter,
  step: DeadLetterRedrive['step'],
  { by, runId, now }: SendingOptions,
): DeadLetterRedrive {
  return {
    letter: { event_id: envelope.event_id, partition, offset },
    source: { topic: source.topic, partition: source.partition, offset: source.offset },
    step,
    by,
    run_id: runId,
    at: now(),
    contract_version: 'dead-letter-redrive-v1',
  };
}

function brokenAt({ id }: Letter, { message }: RetryableError): string {
  return `${message} It broke off at letter ${id}, of which nobody knows whether it went: look at the list, and send the rest when Kafka is back.`;
}

async function pauseUntil(dueMs: number): Promise<void> {
  const waitMs = dueMs - performance.now();
  if (waitMs > 0) await pause(waitMs);
}
