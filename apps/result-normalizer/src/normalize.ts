import { type BusMessage, deterministicId, ToolExecution, type ToolResult, topics } from '@latch/contracts';
import { makeEnvelope, maxBytesOf, type Received, type ReceivedEnvelope, toBusMessage } from '@latch/messaging';
import { readToolResult, shortenedResults } from '@latch/outcome';

/** What one execution came to: the result, and the messages that tell it. */
export type Normalized = { readonly result: ToolResult; readonly messages: readonly BusMessage[] };

const producer = 'result-normalizer';

/**
 * One execution in, one ToolResult out, and a NOC event where the tool broke its contract. Pure: ids and time are derived from the execution's own event,
 * so that a redelivery gives the same bytes.
 */
export function normalize(received: Received): Normalized {
  const { envelope, record } = received;
  const traceparent = record.headers['traceparent'];
  const result = readToolResult(ToolExecution.parse(received.payload));
  const fitting = fitToBus(result, (payload) =>
    toBusMessage(topics.toolResults, resultEnvelope(envelope, payload), { traceparent }),
  );
  const signals = breaksContract(result)
    ? [toBusMessage(topics.signals, invalidResultEnvelope(envelope, result), { traceparent })]
    : [];
  return { result: fitting.result, messages: [fitting.message, ...signals] };
}

function resultEnvelope(cause: ReceivedEnvelope, result: ToolResult): ReceivedEnvelope {
  return makeEnvelope({
    ...partsOf(cause),
    eventType: 'IC.TOOL_COMPLETED',
    eventId: deterministicId('tool-result', cause.event_id),
    payload: result,
    contractVersion: 'tool-result-v1',
  });
}

function invalidResultEnvelope(cause: ReceivedEnvelope, result: ToolResult): ReceivedEnvelope {
  const { tool_name, invocation_id, outcome, error, contract_warnings } = result;
  return makeEnvelope({
    ...partsOf(cause),
    eventType: 'NOC.INVALID_TOOL_RESULT',
    eventId: deterministicId('invalid-tool-result', cause.event_id),
    payload: { tool_name, invocation_id, outcome, code: error?.code ?? null, warnings: contract_warnings ?? [] },
    contractVersion: 'event-envelope-v1',
  });
}

type Shared = Omit<Parameters<typeof makeEnvelope>[0], 'eventType' | 'eventId' | 'payload' | 'contractVersion'>;

function partsOf(cause: ReceivedEnvelope): Shared {
  return {
    tenantId: cause.tenant_id,
    agentId: cause.agent_id,
    sessionId: cause.session_id,
    conversationKey: cause.conversation_key,
    traceId: cause.trace_id,
    causationId: cause.event_id,
    messageId: cause.message_id,
    transactionId: cause.transaction_id,
    requestId: cause.request_id,
    producer,
    timestamp: cause.timestamp,
  };
}

const unreadable: readonly unknown[] = ['tool.result_unreadable', 'tool.result_too_large'];

function breaksContract(result: ToolResult): boolean {
  return Array.isArray(result.contract_warnings) || unreadable.includes(result.error?.code);
}

/**
 * The verdict must reach the conversation whatever the size of the evidence: what is too large for the bus is left out, the copies first, and the
 * result says so. The whole answer stays in the executor's ledger.
 */
function fitToBus(
  result: ToolResult,
  write: (result: ToolResult) => BusMessage,
): { result: ToolResult; message: BusMessage } {
  for (const candidate of shortenedResults(result)) {
    const message = write(candidate);
    if (Buffer.byteLength(message.value) <= maxBytesOf(message.topic)) return { result: candidate, message };
  }
  const bare = shortenedResults(result).at(-1) ?? result;
  return { result: bare, message: write(bare) };
}
