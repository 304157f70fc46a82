import { type EventEnvelope } from '@latch/contracts';

/** Facts worth showing in a timeline, by the names that the stored events give them, in this order. */
const shown = ['rule', 'tool', 'missing', 'values', 'purpose', 'outcome', 'status', 'reason', 'why'] as const;

/** One line per event for a timeline: position, time of day, type, and what matters of the payload. */
export function eventLine(event: EventEnvelope): string {
  const facts = shown.flatMap((name) => {
    const text = textOf(event.payload[name]);
    return text === undefined ? [] : [`${name} ${text}`];
  });
  const position = String(event.sequence ?? '').padStart(3);
  return `${position}  ${event.timestamp.slice(11, 23)}  ${event.event_type}  ${facts.join(', ')}`.trimEnd();
}

function textOf(value: unknown): string | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value.join('+');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
