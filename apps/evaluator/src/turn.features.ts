import { type ChannelResponse, type ToolResult, topics } from '@latch/contracts';
import { type ApprovedInvocation } from '@latch/event-store';
import { makeEnvelope, type Received, type ReceivedEnvelope } from '@latch/messaging';
import { v7 as newUuid } from 'uuid';
import { type Evidence, type FinishedTurn } from './finished-turn.ts';

/** A result of cancelling three services, of which one failed. */
export function partialResult(more: Partial<ToolResult> = {}): ToolResult {
  return {
    tool_name: 'cancelar_vas_avulso',
    ok: true,
    data: { results: [] },
    latency_ms: 12,
    invocation_id: 'invocation-1',
    transaction_id: 'transaction-1',
    purpose: 'execution',
    outcome: 'PARTIAL_SUCCESS',
    partial_success: true,
    items: [
      { id: 'fashion', label: 'TIM Fashion', outcome: 'succeeded', protocol: 'P-1001' },
      { id: 'aya', label: 'Aya Audiobooks', outcome: 'succeeded', protocol: 'P-1002' },
      { id: 'neymar', label: 'Neymar Jr', outcome: 'failed', reason: 'não contratado' },
    ],
    ...more,
  };
}

const partialText =
  'O cancelamento foi concluído em parte. Concluídos: TIM Fashion (protocolo P-1001) e Aya Audiobooks (protocolo P-1002). Não concluído: Neymar Jr (não contratado).';

/** The answer that reports a result as it was; without one, a question. */
export function responseTo(
  result: ToolResult | undefined,
  metadata: Partial<ChannelResponse['metadata']> = {},
): ChannelResponse {
  return {
    channel: 'web',
    session_id: 'default:telecom_contas:s-1',
    text: result ? partialText : 'Qual é o número do pedido?',
    metadata: {
      tenant_id: 'default',
      agent_id: 'telecom_contas',
      guardrails: [],
      judges: [],
      turn_id: 'turn-1',
      transaction_id: null,
      transaction_status: 'COLLECTING_PARAMETERS',
      ...(result && told(result)),
      ...metadata,
    },
  };
}

function told({ transaction_id, outcome, items = [], error }: ToolResult): Partial<ChannelResponse['metadata']> {
  return { transaction_id, transaction_status: 'COMPLETED', outcome, items, error };
}

/** The engine's approval of the call that gave a result. */
export function approvalOf(result: ToolResult, conversationKey = 'default:telecom_contas:s-1'): ApprovedInvocation {
  const services = (result.items ?? []).map(({ label }) => label);
  return {
    invocationId: result.invocation_id ?? '',
    tenantId: 'default',
    agentId: 'telecom_contas',
    conversationKey,
    transactionId: result.transaction_id ?? '',
    rev: 1,
    tool: result.tool_name,
    purpose: result.purpose ?? 'execution',
    operationType: 'transactional',
    proposalId: null,
    idempotencyKey: `key-${result.invocation_id}`,
    expiresAt: null,
    digest: 'digest',
    invocation: {
      tenant_id: 'default',
      agent_id: 'telecom_contas',
      tool_name: result.tool_name,
      arguments: { servicos: services },
    },
  };
}

/** The envelope around an answer; `causedBy` is the event that made the engine answer. */
export function answerEnvelope(
  response: ChannelResponse,
  of: { readonly causedBy: string; readonly key?: string; readonly eventId?: string },
): ReceivedEnvelope {
  return makeEnvelope({
    ...common(of.key),
    eventType: 'IC.AGENT_COMPLETED',
    payload: response,
    contractVersion: 'channel-response-v1',
    eventId: of.eventId ?? newUuid(),
    causationId: of.causedBy,
    transactionId: response.metadata.transaction_id,
    producer: 'orchestrator',
  });
}

/** The envelope around a tool result. */
export function resultEnvelope(
  result: ToolResult,
  of: { readonly eventId: string; readonly key?: string },
): ReceivedEnvelope {
  return makeEnvelope({
    ...common(of.key),
    eventType: 'IC.TOOL_COMPLETED',
    payload: result,
    contractVersion: 'tool-result-v1',
    eventId: of.eventId,
    transactionId: result.transaction_id,
    producer: 'result-normalizer',
  });
}

function common(key = 'default:telecom_contas:s-1') {
  return {
    tenantId: key.split(':')[0] ?? '',
    agentId: 'telecom_contas',
    sessionId: 's-1',
    conversationKey: key,
    traceId: 'trace-1',
    timestamp: '2026-11-30T12:00:00.000Z',
  };
}

/** A finished turn: the answer, caused by the last result unless said otherwise. */
export function finishedTurn(
  response: ChannelResponse,
  results: readonly ToolResult[],
  causedBy?: string,
): FinishedTurn {
  const evidence: Evidence[] = results.map((result, index) => ({
    eventId: `result-${index + 1}`,
    result,
    approved: approvalOf(result),
  }));
  const envelope = answerEnvelope(response, { causedBy: causedBy ?? `result-${results.length}`, eventId: 'answer-1' });
  return { envelope, response, evidence };
}

/** An envelope as the consumer receives it. */
export function received(envelope: ReceivedEnvelope): Received {
  const topic = envelope.event_type === 'IC.TOOL_COMPLETED' ? topics.toolResults : topics.responses;
  const value = Buffer.from(JSON.stringify(envelope));
  const record = {
    topic,
    partition: 0,
    offset: '0',
    key: envelope.conversation_key,
    value,
    headers: {},
    timestampMs: 0,
  };
  return { record, envelope, payload: envelope.payload };
}
