import { type BusMessage, TerminalError, type Topic, topics } from '@latch/contracts';

/**
 * The most bytes of a value on a topic: 1 MiB, and nearly twice that on the dead-letter topic, which carries whole other messages in base64. A
 * larger value is refused when published and a dead letter when consumed.
 */
export function maxBytesOf(topic: Topic): number {
  return topic === topics.deadLetters ? 1_900_000 : 1_048_576;
}

/** @throws TerminalError when the message is larger than its topic allows. */
export function assertMessageSize({ topic, value, eventId }: BusMessage): void {
  const bytes = Buffer.byteLength(value);
  const limit = maxBytesOf(topic);
  if (bytes <= limit) return;
  throw new TerminalError(`Message ${eventId} has ${bytes} bytes, more than ${limit}.`, { code: 'message.invalid' });
}
