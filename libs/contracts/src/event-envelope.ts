import { z } from 'zod';
import { Instant } from './instant.ts';
import { pinned } from './pinned.ts';

/**
 * How grave a signal is, in the order of attention; `cleared` ends an alarm.
 *
 * @example 'major'
 * @see ITU-T X.733; DESIGN section 3
 */
export const Severity = z.enum(['debug', 'info', 'warning', 'minor', 'major', 'critical', 'cleared']);
export type Severity = z.infer<typeof Severity>;

/**
 * The one shape on every topic. Seven fields are required, exactly the published ones; the optional ones are always set by Latch and tolerated when
 * absent. Unknown fields are kept.
 *
 * @example { event_type: 'IC.AGENT_COMPLETED', timestamp: '2026-06-19T12:00:00Z', tenant_id: 'default', agent_id: 'telecom_contas', ... }
 * @see SPEC-012 section 13
 */
export const EventEnvelope = z
  .looseObject({
    event_type: z
      .string()
      .regex(/^(IC|NOC|GRL)\.[A-Z0-9_.]+$/, 'must be IC.*, NOC.* or GRL.*')
      .meta({ description: 'What happened: a type of the event catalogue.', examples: ['IC.AGENT_COMPLETED'] }),
    timestamp: Instant.describe('When it happened, UTC.'),
    tenant_id: z.string().min(1).describe('The tenant.'),
    agent_id: z.string().min(1).describe('The agent.'),
    session_id: z.string().min(1).describe('The session of the channel.'),
    trace_id: z.string().min(1).describe('W3C trace id of the turn, 32 hex digits.'),
    payload: z.record(z.string(), z.unknown()).describe('What the event type says: a contract, or free facts.'),
    event_id: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe('UUID v7, or v5 where a redelivery must give the same id. Consumers are idempotent by it.').meta(pinned('One event: a second delivery has the same id and changes nothing.')),
    contract_version: z
      .string()
      .optional()
      .meta({ description: 'The contract of `payload`.', examples: ['channel-response-v1'] }),
    conversation_key: z.string().optional().describe('`tenant_id:agent_id:session_id`: the key of the message.').meta(pinned('The unit of order: events of one key are handled one after the other.')),
    transaction_id: z.string().nullish().describe('The transaction, where the event belongs to one.'),
    message_id: z.string().optional().describe("The user's message."),
    request_id: z.string().optional().describe("The caller's id of the attempt."),
    causation_id: z.string().optional().describe('`event_id` of the event that caused this one.'),
    sequence: z
      .number()
      .int()
      .nonnegative()
      .optional()
      .describe("Position in the conversation's stream, where the event is a stored one."),
    producer: z.string().optional().meta({ description: 'The service.', examples: ['orchestrator'] }),
    severity: Severity.optional().describe('How grave it is.'),
    replay: z
      .looseObject({
        run_id: z.string().describe('The run of `latch replay reemit`.'),
        reemitted_at: Instant.describe('When it was published again, UTC.'),
      })
      .optional()
      .describe('Present where a replay has published the event again: it has no effect, and Latch itself leaves it alone.'),
  })
  .meta({ description: 'The one shape on every topic.', 'x-source': 'SPEC-012 section 13' });
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
