import { type DeadLetter } from '@latch/contracts';
import { type ReceivedEnvelope } from '@latch/messaging';

/** A dead letter as it lies on its topic, opened where its key is here. */
export type Letter = {
  /** `<partition>/<offset>` of the dead-letter topic: how it is named on the command line. */
  readonly id: string;
  readonly partition: number;
  readonly offset: string;
  readonly envelope: ReceivedEnvelope;
  readonly content: DeadLetter;
};

/** What was done to send the message of a letter again. */
export type SentAgain = {
  /** How often it was put on its topic. */
  readonly times: number;
  readonly lastAt: string | null;
  readonly by: string | null;
  /** When a sending began of which nobody knows whether the message went. */
  readonly unclearSince: string | null;
};

/** A letter, and what became of its message. */
export type LetterWithFate = { readonly letter: Letter; readonly sentAgain: SentAgain };

/** The place where the message had been: one message may have died in two services, and have two letters. */
export function placeOf({ source }: Pick<DeadLetter, 'source'>): string {
  return JSON.stringify([source.topic, source.partition, source.offset]);
}
