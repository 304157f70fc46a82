import { type BusMessage, RetryableError, TerminalError } from '@latch/contracts';
import { KafkaRefused } from './kafka-refusal.ts';
import { assertMessageSize } from './message-size.ts';

type Options = {
  /** Sends one batch; rejects with a TerminalError when a message in it can never be sent. */
  readonly send: (messages: readonly BusMessage[]) => Promise<void>;
  /** The most bytes of one send, values only; a single larger message goes alone. */
  readonly maxSendBytes: number;
  /** The most messages that may wait; more are refused at once. */
  readonly maxWaiting: number;
};

/** The messages of one `add`, on their way; `hasFailed` once one of them could not be sent. */
type Ticket = {
  left: number;
  hasFailed: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
};
type Entry = { readonly message: BusMessage; readonly ticket: Ticket };

/**
 * Batches what is published: one send in flight, the next takes all that waits. Alone a message waits for nothing; under load the batches grow by
 * themselves. No timer (a linger costs its time when idle and is too short when busy).
 *
 * An `add` fails alone: neither a message that is too large or that the bus refuses for good, nor a topic that we may not write to, takes the messages of other callers with it. Of an `add`
 * that failed nothing more is sent, so that no later message of a key overtakes the one that could not be sent.
 */
export class PublishQueue {
  private waiting: Entry[] = [];
  private isSending = false;
  private idle: Promise<void> = Promise.resolve();

  constructor(private readonly options: Options) {}

  /**
   * Resolves when all messages are sent.
   *
   * @throws TerminalError when a message is larger than `maxBytesOf` its topic: then none of them is sent; RetryableError when too many wait; else what
   * `send` throws: then those before the failed one may have been sent, and none after it.
   */
  async add(messages: readonly BusMessage[]): Promise<void> {
    if (messages.length === 0) return;
    messages.forEach(assertMessageSize);
    if (this.waiting.length + messages.length > this.options.maxWaiting) {
      throw new RetryableError(`More than ${this.options.maxWaiting} messages wait for the bus.`);
    }
    await new Promise<void>((resolve, reject) => {
      const ticket: Ticket = { left: messages.length, hasFailed: false, resolve, reject };
      for (const message of messages) this.waiting.push({ message, ticket });
      if (!this.isSending) this.idle = this.sendAll();
    });
  }

  /** Resolves when nothing waits and nothing is in flight. */
  drained(): Promise<void> {
    return this.idle;
  }

  private async sendAll(): Promise<void> {
    this.isSending = true;
    await Promise.resolve(); // what is published in the same turn of the event loop goes along
    while (this.waiting.length > 0) await this.sendBatch(this.takeBatch());
    this.isSending = false;
  }

  private takeBatch(): readonly Entry[] {
    let bytes = 0;
    let count = 0;
    for (const { message } of this.waiting) {
      bytes += Buffer.byteLength(message.value);
      if (count > 0 && bytes > this.options.maxSendBytes) break;
      count += 1;
    }
    return this.waiting.splice(0, count);
  }

  /** What can never be sent must not take its neighbors with it: then each part that it may stand in goes alone. */
  private async sendBatch(batch: readonly Entry[]): Promise<void> {
    try {
      await this.options.send(batch.map(({ message }) => message));
      batch.forEach(({ ticket }) => settle(ticket));
    } catch (error) {
      const parts = partsOf(batch, error);
      if (parts.length === 1) return this.fail(batch, error);
      for (const part of parts) {
        const left = part.filter(({ ticket }) => !ticket.hasFailed);
        if (left.length > 0) await this.sendBatch(left);
      }
    }
  }

  private fail(batch: readonly Entry[], error: unknown): void {
    for (const { ticket } of batch) {
      ticket.hasFailed = true;
      ticket.reject(error);
    }
    this.waiting = this.waiting.filter(({ ticket }) => !ticket.hasFailed);
  }
}

/** One message is too large, or one topic may not be written to: the others go all the same. A bus that is away is away for all. */
function partsOf(batch: readonly Entry[], error: unknown): readonly (readonly Entry[])[] {
  if (error instanceof TerminalError) return batch.map((entry) => [entry]);
  if (!(error instanceof RetryableError && error.cause instanceof KafkaRefused)) return [batch];
  const byTopic = new Map<string, Entry[]>();
  for (const entry of batch) byTopic.set(entry.message.topic, [...(byTopic.get(entry.message.topic) ?? []), entry]);
  return [...byTopic.values()];
}

function settle(ticket: Ticket): void {
  ticket.left -= 1;
  if (ticket.left === 0) ticket.resolve();
}
