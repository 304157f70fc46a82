import { Severity } from '@latch/contracts';
import { z } from 'zod';
import { type ShownSignal } from './signal-log.ts';

const families = ['IC', 'NOC', 'GRL'] as const;

/** Which signals a stream shows. */
export const SignalsQuery = z.strictObject({
  tenant_id: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('The tenant. Signals of the platform itself are shown to every tenant.'),
  family: z
    .enum(families)
    .optional()
    .describe("Only business facts (IC), an operator's problems (NOC) or blocked contents (GRL)."),
  type: z.string().min(1).max(100).optional().describe('Only this event type.'),
  severity: Severity.optional().describe('Only this severity.'),
  conversation_key: z.string().min(1).max(512).optional().describe('Only this conversation.'),
  transaction_id: z.string().min(1).max(64).optional().describe('Only this transaction.'),
  latest: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000)
    .default(0)
    .describe('How many of the newest signals a stream begins with; not where it goes on after a `Last-Event-ID`.'),
});
export type SignalsQuery = z.output<typeof SignalsQuery>;

/** Whether a filter lets a signal through. */
export function letsThrough(query: SignalsQuery, signal: ShownSignal): boolean {
  const { family, type, severity, conversation_key: key, transaction_id: transaction } = query;
  return (
    (family === undefined || signal.event_type.startsWith(`${family}.`)) &&
    (type === undefined || signal.event_type === type) &&
    (severity === undefined || signal.severity === severity) &&
    (key === undefined || signal.conversation_key === key) &&
    (transaction === undefined || signal.transaction_id === transaction)
  );
}
