import {
  type BusMessage,
  conversationKeyOf,
  deterministicId,
  type EventType,
  type Severity,
  topics,
  type ToolExecution,
} from '@latch/contracts';
import { type ApprovedInvocation } from '@latch/event-store';
import { makeEnvelope, maxBytesOf, type ReceivedEnvelope, toBusMessage } from '@latch/messaging';

const producer = 'tool-executor';

/** The trace that a call belongs to, where it is known. */
export type Trace = { readonly traceparent?: string | undefined };

/**
 * The message that tells the normalizer what came back. One per invocation, whoever sends it and how often. The business context stays in the store: the
 * normalizer has no use for it (invariant I16).
 */
export function executionMessage(
  approved: ApprovedInvocation,
  execution: ToolExecution,
  at: { readonly timestamp: string } & Trace,
): BusMessage {
  const envelope = makeEnvelope({
    ...partsOf(approved),
    eventType: 'IC.TOOL_EXECUTED',
    eventId: deterministicId('tool-execution', approved.invocationId),
    payload: { ...execution, invocation: withoutContext(execution.invocation) },
    contractVersion: 'tool-execution-v1',
    timestamp: at.timestamp,
  });
  return toBusMessage(topics.toolExecutions, envelope, { traceparent: at.traceparent });
}

function withoutContext({
  business_context: _,
  ...invocation
}: ToolExecution['invocation']): ToolExecution['invocation'] {
  return invocation;
}

/** Whether the bus takes the message. */
export function isPublishable(message: BusMessage): boolean {
  return Buffer.byteLength(message.value) <= maxBytesOf(message.topic);
}

/** A fact about one call. */
export type CallSignal = {
  readonly eventType: EventType;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly timestamp: string;
  readonly severity?: Severity;
};

/** A NOC event about an approved call. */
export function callSignal(approved: ApprovedInvocation, signal: CallSignal): ReceivedEnvelope {
  return makeEnvelope({
    ...partsOf(approved),
    ...signal,
    eventId: deterministicId(signal.eventType, approved.invocationId),
    contractVersion: 'event-envelope-v1',
  });
}

/** How far a running call is, in the server's words. */
export function progressSignal(
  approved: ApprovedInvocation,
  of: Pick<CallSignal, 'payload' | 'timestamp'> & { readonly eventId: string },
): ReceivedEnvelope {
  return makeEnvelope({
    ...partsOf(approved),
    ...of,
    eventType: 'IC.TOOL_PROGRESS',
    contractVersion: 'event-envelope-v1',
  });
}

/** A NOC event about a record that was refused; it names the record's own words, and only here: nothing else believes them. */
export function refusalSignal(record: ReceivedEnvelope, payload: Readonly<Record<string, unknown>>): ReceivedEnvelope {
  return makeEnvelope({
    eventType: 'NOC.INVOCATION_REFUSED',
    eventId: deterministicId('NOC.INVOCATION_REFUSED', record.event_id),
    payload,
    contractVersion: 'event-envelope-v1',
    tenantId: record.tenant_id,
    agentId: record.agent_id,
    sessionId: record.session_id,
    conversationKey: record.conversation_key,
    traceId: record.trace_id,
    causationId: record.event_id,
    producer,
    timestamp: record.timestamp,
  });
}

/** A NOC event about a server, which belongs to no tenant: it is keyed by the server, so that its raising and its clearing keep their order. */
export function serverSignal(server: string, signal: CallSignal & { readonly eventId: string }): ReceivedEnvelope {
  const identity = { tenant_id: 'platform', agent_id: producer, session_id: `server-${server}` };
  return makeEnvelope({
    ...signal,
    contractVersion: 'event-envelope-v1',
    tenantId: identity.tenant_id,
    agentId: identity.agent_id,
    sessionId: identity.session_id,
    conversationKey: conversationKeyOf(identity),
    traceId: signal.eventId,
    producer,
  });
}

type Parts = Omit<
  Parameters<typeof makeEnvelope>[0],
  'eventType' | 'eventId' | 'payload' | 'contractVersion' | 'timestamp'
>;

function partsOf({
  tenantId,
  agentId,
  conversationKey,
  transactionId,
  invocationId,
  invocation,
}: ApprovedInvocation): Parts {
  const prefix = `${tenantId}:${agentId}:`;
  return {
    tenantId,
    agentId,
    sessionId: conversationKey.startsWith(prefix) ? conversationKey.slice(prefix.length) : conversationKey,
    conversationKey,
    traceId: invocation.metadata?.trace_id ?? invocationId,
    causationId: deterministicId('tool-requested', invocationId),
    transactionId,
    requestId: invocation.metadata?.request_id,
    producer,
  };
}
