import { type BusMessage, parseJson } from '@latch/contracts';
import { type BusRecord } from './bus.ts';

/** The header that every message of a replay carries; its value is the id of the run. */
export const replayHeader = 'latch-replay';

/** One run of `latch replay reemit`. */
export type ReplayRun = {
  readonly runId: string;
  /** When the message is published again, UTC. */
  readonly at: string;
};

/**
 * A message as a replay publishes it again: the same event under the same id, marked in its headers and in its envelope. Our own consumers leave it alone, so
 * that it can have no effect (invariant I21); others tell it from the first one by the mark.
 */
export function markAsReplay(message: BusMessage, { runId, at }: ReplayRun): BusMessage {
  const envelope: unknown = JSON.parse(message.value);
  const value = JSON.stringify({ ...Object(envelope), replay: { run_id: runId, reemitted_at: at } });
  return { ...message, value, headers: { ...message.headers, [replayHeader]: runId } };
}

/** Whether a record was published by a replay: by its header, or, where something on the way has lost the headers, by its envelope. */
export function isReplay({ headers, value }: Pick<BusRecord, 'headers' | 'value'>): boolean {
  if (headers[replayHeader] !== undefined) return true;
  // Reading each envelope twice would cost as much as handling it: most do not even hold the word.
  if (!value.includes('"replay"')) return false;
  const envelope = parseJson(value);
  return envelope.ok && typeof envelope.value === 'object' && envelope.value !== null && 'replay' in envelope.value;
}
