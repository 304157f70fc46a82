import { type BusMessage, eventCatalogue, type EventType, type Severity, type Topic, topics } from '@latch/contracts';
import { maskPayload } from './mask-payload.ts';
import { type ReceivedEnvelope } from './parse-record.ts';

/** What a producer knows of an event. */
export type EnvelopeParts = {
  readonly eventType: EventType;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Of the payload: `<name>-v<major>`. */
  readonly contractVersion: string;
  readonly tenantId: string;
  readonly agentId: string;
  readonly sessionId: string;
  readonly conversationKey: string;
  readonly traceId: string;
  /** UUID v7, or v5 where a redelivered cause must give the same event. */
  readonly eventId: string;
  readonly causationId?: string | undefined;
  readonly messageId?: string | undefined;
  readonly transactionId?: string | null | undefined;
  readonly requestId?: string | undefined;
  readonly sequence?: number | undefined;
  /** Name of the service. */
  readonly producer: string;
  /** UTC, ISO-8601. */
  readonly timestamp: string;
  /** @default the severity of the event type in the catalogue */
  readonly severity?: Severity | undefined;
};

/** Makes an envelope: the seven published fields, and the optional ones that Latch always sets (SPEC-012 section 13). */
export function makeEnvelope(parts: EnvelopeParts): ReceivedEnvelope {
  return {
    event_type: parts.eventType,
    timestamp: parts.timestamp,
    tenant_id: parts.tenantId,
    agent_id: parts.agentId,
    session_id: parts.sessionId,
    trace_id: parts.traceId,
    payload: parts.payload,
    event_id: parts.eventId,
    contract_version: parts.contractVersion,
    conversation_key: parts.conversationKey,
    transaction_id: parts.transactionId,
    message_id: parts.messageId,
    request_id: parts.requestId,
    causation_id: parts.causationId,
    sequence: parts.sequence,
    producer: parts.producer,
    severity: parts.severity ?? eventCatalogue[parts.eventType].severity,
  };
}

/**
 * Serializes an envelope, once, into a message for the bus: key = conversation key, value = the envelope as JSON, headers = CloudEvents 1.0 in
 * binary mode and, where given, W3C `traceparent`. The attributes repeat what the envelope says, so that a CloudEvents consumer routes without
 * reading the value. What a signal says is masked.
 *
 * @see the Kafka protocol binding of CloudEvents 1.0
 */
export function toBusMessage(
  topic: Topic,
  envelope: ReceivedEnvelope,
  { traceparent }: { readonly traceparent?: string | undefined } = {},
): BusMessage {
  return {
    topic,
    key: envelope.conversation_key,
    eventId: envelope.event_id,
    value: JSON.stringify(
      topic === topics.signals ? { ...envelope, payload: maskPayload(envelope.payload) } : envelope,
    ),
    headers: { ...cloudEventHeaders(envelope), ...(traceparent === undefined ? {} : { traceparent }) },
  };
}

function cloudEventHeaders(envelope: ReceivedEnvelope): Record<string, string> {
  return {
    'content-type': 'application/json',
    ce_specversion: '1.0',
    ce_id: envelope.event_id,
    ce_type: envelope.event_type,
    ce_source: `/latch/${encodeURIComponent(envelope.producer ?? 'unknown')}`,
    ce_time: envelope.timestamp,
    ce_partitionkey: envelope.conversation_key,
  };
}
