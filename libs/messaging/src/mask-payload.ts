import { isRecord } from '@latch/contracts';
import { mask } from '@latch/observability';

/** Below it a number is a count, from the other one on too long for a document, a phone or a card; what has a fraction is a measurement. */
const [smallestNumberOfAPerson, tooLarge] = [1_000_000_000, 1e19];

/**
 * The payload of a signal as it may stand on the bus: signals go to monitors and people that have no part in the conversation, and some carry words of servers
 * and of records that were refused. Every text is masked, whoever wrote it (invariant I16); the shape stays.
 */
export function maskPayload(payload: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(payload).map(([name, value]) => [mask(name), masked(value)]));
}

function masked(value: unknown): unknown {
  if (typeof value === 'string') return mask(value);
  if (typeof value === 'number') return maskedNumber(value);
  if (Array.isArray(value)) return value.map(masked);
  return isRecord(value) ? maskPayload(value) : value;
}

function maskedNumber(value: number): unknown {
  if (!Number.isInteger(value) || value < smallestNumberOfAPerson || value >= tooLarge) return value;
  const text = mask(String(value));
  return text === String(value) ? value : text;
}
