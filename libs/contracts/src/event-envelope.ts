import { z } from 'zod';
import { Instant } from './instant.ts';

/** How grave a signal is, in the order of attention. */
export const Severity = z.enum(['debug', 'info', 'warning', 'minor', 'major', 'critical', 'cleared']);
export type Severity = z.infer<typeof Severity>;

/**
 * The one shape on every topic (SPEC-012 section 13). Seven fields are required, exactly the published ones; the optional ones are always set
 * by Latch and tolerated when absent. Unknown fields are kept.
 */
export const EventEnvelope = z.looseObject({
  event_type: z.string().regex(/^(IC|NOC|GRL)\.[A-Z0-9_.]+$/, 'must be IC.*, NOC.* or GRL.*'),
  timestamp: Instant,
  tenant_id: z.string().min(1),
  agent_id: z.string().min(1),
  session_id: z.string().min(1),
  trace_id: z.string().min(1),
  payload: z.record(z.string(), z.unknown()),
  /** UUID v7, or v5 where a redelivery must give the same id. Consumers are idempotent by it. */
  event_id: z.string().min(1).max(64).optional(),
  contract_version: z.string().optional(),
  conversation_key: z.string().optional(),
  transaction_id: z.string().nullish(),
  message_id: z.string().optional(),
  request_id: z.string().optional(),
  /** `event_id` of the event that caused this one. */
  causation_id: z.string().optional(),
  /** Position in the conversation's stream, where the event is a stored one. */
  sequence: z.number().int().nonnegative().optional(),
  producer: z.string().optional(),
  severity: Severity.optional(),
});
export type EventEnvelope = z.infer<typeof EventEnvelope>;

/** The seven fields that SPEC-012 requires of every envelope. */
export const requiredEnvelopeFields = [
  'event_type',
  'timestamp',
  'tenant_id',
  'agent_id',
  'session_id',
  'trace_id',
  'payload',
] as const;
