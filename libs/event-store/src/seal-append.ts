import { type BusMessage } from '@latch/contracts';
import { type ApprovedInvocation, type ConversationAppend, type TransactionRow } from './conversation-append.ts';
import { sealedMember, sealPayload } from './seal-payload.ts';
import { detailsPlace, eventPlace, invocationPlace, outgoingPlace, responsePlace, statePlace } from './seal-places.ts';
import { type DataKey, sealText } from './seal-value.ts';

/** What a batch decided for a conversation, with everything personal in it sealed under one key; of the same shape, so that nobody behind it needs to know. */
export function sealAppend(append: ConversationAppend, key: DataKey): ConversationAppend {
  const { tenantId, conversationKey, expectedVersion } = append;
  const where = { tenantId, conversationKey };
  const version = expectedVersion + append.events.length;
  return {
    ...append,
    state: sealText(JSON.stringify(append.state ?? null), key, statePlace({ ...where, version })),
    events: append.events.map((event, index) => ({
      ...event,
      payload: sealPayload(event.type, event.payload, (text) =>
        sealText(text, key, eventPlace({ ...where, version: expectedVersion + index + 1, type: event.type })),
      ),
    })),
    turns: append.turns.map((turn) => ({
      ...turn,
      response: turn.response === null ? null : sealText(turn.response, key, responsePlace({ ...where, ...turn })),
    })),
    transactions: append.transactions.map((row) => sealTransaction(row, where, key)),
    invocations: append.invocations.map((invocation) => sealInvocation(invocation, key)),
    outgoing: append.outgoing.map((message) => sealMessage(message, key)),
  };
}

type Where = { readonly tenantId: string; readonly conversationKey: string };

/** Arguments and everything about the items but their outcome are one sealed value; the outcomes stay countable. */
function sealTransaction(row: TransactionRow, where: Where, key: DataKey): TransactionRow {
  const details = { arguments: row.arguments, items: row.items.map(({ outcome: _, ...item }) => item) };
  const sealed = sealText(JSON.stringify(details), key, detailsPlace({ ...where, id: row.id }));
  const items = row.items.map(({ outcome }, index) => ({ id: String(index + 1), label: '', outcome }));
  return { ...row, arguments: { [sealedMember]: sealed }, items };
}

function sealInvocation(approved: ApprovedInvocation, key: DataKey): ApprovedInvocation {
  const { tenant_id, agent_id, tool_name } = approved.invocation;
  const sealed = sealText(JSON.stringify(approved.invocation), key, invocationPlace(approved));
  return { ...approved, invocation: { tenant_id, agent_id, tool_name, arguments: {}, [sealedMember]: sealed } };
}

/** An outgoing message as it stands in the outbox until it is published. */
export function sealMessage(message: BusMessage, key: DataKey): BusMessage {
  const conversation = message.key ?? '';
  return { ...message, value: sealText(message.value, key, outgoingPlace({ ...message, key: conversation })) };
}
