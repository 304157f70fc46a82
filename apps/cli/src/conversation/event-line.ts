import { type EventEnvelope } from '@latch/contracts';

/** Payload fields worth showing in a timeline, in this order, under the names that the engine uses on the wire or in its events. */
const told = ['type', 'tool_name', 'tool', 'status', 'outcome', 'ok', 'rule', 'parameter'] as const;

/** One line per event for a timeline: position, time of day, type, and what matters of the payload. */
export function eventLine(event: EventEnvelope): string {
  const facts = told.flatMap((name) => {
    const value = event.payload[name];
    return typeof value === 'string' || typeof value === 'boolean' ? [`${name}=${value}`] : [];
  });
  const position = String(event.sequence ?? '').padStart(3);
  return [position, event.timestamp.slice(11, 23), event.event_type, ...facts].join('  ').trimEnd();
}
