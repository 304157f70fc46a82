import {
  type BusMessage,
  type ChannelResponse,
  deterministicId,
  type Locale,
  type StructuredError,
  topics,
  type TurnId,
} from '@latch/contracts';
import { maxBytesOf } from '@latch/messaging';
import { composeReply } from '@latch/presentation';
import { type TurnReply } from '@latch/transaction';
import { envelopeOf, publishable } from './outgoing.ts';
import { type DecidedTurn } from './run-turn.ts';
import { type TurnWork, type Work } from './work.ts';

/** The message that an answer belongs to. */
type Asked = { readonly messageId: string; readonly bodyDigest: string };

/** The one answer of a turn, in words. It always fits the bus: the verdict must reach the user whatever the size of the evidence. */
export function responseMessage(
  decided: DecidedTurn,
  reply: TurnReply,
  turn: Asked & { readonly at: string },
): BusMessage {
  const payload = responseOf(decided, reply, turn);
  return fitToBus(payload, (candidate) => messageOf(decided.work, reply.turnId, { payload: candidate, at: turn.at }));
}

/** The answer of a turn that was not handled: a dead letter that an operator looks at, or one that was sent again too late. Nothing was done. */
export function refusalMessage(
  work: TurnWork,
  reason: { readonly code: string; readonly locale: Locale; readonly at: string },
): BusMessage {
  const error: StructuredError = {
    errorCategory: 'business',
    isRetryable: false,
    code: reason.code,
    message: reason.code === 'turn.overtaken' ? overtakenMessage : unhandledMessage,
  };
  const payload = {
    channel: work.request.channel,
    session_id: work.identity.conversationKey,
    text: composeReply({ slots: [{ kind: 'inconsistent' }] }, reason.locale),
    metadata: {
      ...addressOf(work),
      guardrails: [],
      judges: [],
      turn_id: work.turnId,
      body_digest: work.bodyDigest,
      message_id: work.request.payload.message_id,
      error,
    },
  };
  return messageOf(work, work.turnId, { payload, at: reason.at });
}

const unhandledMessage = 'The message could not be handled and was kept for an operator. Nothing was done.';
const overtakenMessage = 'The message came so late that the conversation had gone on without it. Nothing was done.';

/** The id of a turn's answer: the turn's own, so that a repeated answer is the same event. */
export function responseIdOf(turnId: TurnId): string {
  return deterministicId('response', turnId);
}

function messageOf(
  work: Work,
  turnId: TurnId,
  { payload, at }: { readonly payload: ChannelResponse; readonly at: string },
): BusMessage {
  const eventId = responseIdOf(turnId);
  const { message_id, transaction_id } = payload.metadata;
  const envelope = envelopeOf(work, { eventType: 'IC.AGENT_COMPLETED', eventId, payload, at });
  return publishable(topics.responses, work, { ...envelope, message_id, transaction_id });
}

function responseOf({ work, after, agent }: DecidedTurn, reply: TurnReply, turn: Asked): ChannelResponse {
  const { facts } = reply;
  return {
    channel: after.lastTurn?.channel ?? 'unknown',
    session_id: work.identity.conversationKey,
    text: composeReply({ slots: reply.slots }, agent.locale),
    metadata: {
      ...addressOf(work),
      route: facts.route,
      intent: facts.intent,
      guardrails: [],
      judges: [],
      turn_id: reply.turnId,
      body_digest: turn.bodyDigest,
      message_id: turn.messageId,
      transaction_id: facts.transactionId,
      transaction_status: facts.transactionStatus,
      missing_parameters: [...facts.missingParameters],
      proposal_id: facts.proposalId,
      outcome: facts.outcome,
      items: [...facts.items],
      error: facts.error,
    },
  };
}

function addressOf({ identity, traceId }: Work): {
  tenant_id: string;
  agent_id: string;
  contract_version: string;
  trace_id: string;
} {
  const contract_version = 'channel-response-v1';
  return { tenant_id: identity.tenantId, agent_id: identity.agentId, contract_version, trace_id: traceId };
}

/** What a person reads at the most, in UTF-16 units; and how many items a machine gets beside an answer that is too large. */
const longestText = 64_000;
const mostItems = 200;

/** The whole answer if it fits, else without the tools' own entries, else with fewer items and a shorter text, and says so. The evidence stays whole. */
function fitToBus(response: ChannelResponse, write: (response: ChannelResponse) => BusMessage): BusMessage {
  for (const candidate of [response, withoutItemData(response)]) {
    const message = write(candidate);
    if (Buffer.byteLength(message.value) <= maxBytesOf(message.topic)) return message;
  }
  return write(shortened(response));
}

function withoutItemData(response: ChannelResponse): ChannelResponse {
  const items = response.metadata.items?.map((item) => Object.fromEntries(Object.entries(Object(item)).filter(isTold)));
  return { ...response, metadata: { ...response.metadata, items } };
}

function isTold([name]: readonly [string, unknown]): boolean {
  return name !== 'data';
}

function shortened(response: ChannelResponse): ChannelResponse {
  const { items = [] } = response.metadata;
  const few = withoutItemData({ ...response, metadata: { ...response.metadata, items: items.slice(0, mostItems) } });
  const items_omitted = Math.max(0, items.length - mostItems);
  return { ...few, text: cut(response.text), metadata: { ...few.metadata, items_omitted } };
}

function cut(text: string): string {
  if (text.length <= longestText) return text;
  const lastLine = text.lastIndexOf('\n', longestText);
  return `${text.slice(0, lastLine > 0 ? lastLine : longestText)}\n...`;
}
