import {
  type ApprovedInvocation,
  type TransactionItemRow,
  type TransactionRow,
  type TurnRow,
} from './conversation-append.ts';
import { storableText } from './storable-text.ts';
import { type Columns } from './stored-columns.ts';

/** Whose rows they have to be. */
export type Owner = { readonly streamId: string; readonly tenantId: string };

/** What the columns of a transaction have to hold. */
export function expectedTransaction(row: TransactionRow, { streamId, tenantId }: Owner): Columns {
  const { tool, status, rev, outcome } = row;
  return {
    ...{ stream_id: streamId, tenant_id: tenantId, tool: storableText(tool), status, rev, outcome },
    started_at: instantOf(row.startedAt),
    ended_at: instantOf(row.endedAt),
    arguments: jsonOf(row.arguments),
  };
}

/** What the columns of an item have to hold. */
export function expectedItem(item: TransactionItemRow, { tenantId }: Owner): Columns {
  const { id, label, outcome, reason, protocol } = item;
  const text = (value: string | null | undefined): string | null =>
    value === null || value === undefined ? null : storableText(value);
  return {
    ...{ tenant_id: tenantId, item_id: text(id), label: text(label), outcome },
    ...{ reason: text(reason), protocol: text(protocol) },
  };
}

/** What the columns of a turn have to hold. @param isDigestKnown false of a turn that was recorded before the digest of its request was. */
export function expectedTurn(turn: TurnRow, owner: Owner, isDigestKnown: boolean): Columns {
  const response: unknown = turn.response === null ? null : JSON.parse(turn.response);
  return {
    ...{
      stream_id: owner.streamId,
      tenant_id: owner.tenantId,
      message_id: turn.messageId,
      status: turn.status,
      response,
    },
    ...(isDigestKnown && { body_digest: turn.bodyDigest }),
  };
}

/** What the columns of an approved call have to hold. */
export function expectedCall(approved: ApprovedInvocation, { streamId, tenantId }: Owner): Columns {
  return {
    ...{ stream_id: streamId, tenant_id: tenantId, agent_id: approved.agentId },
    transaction_id: approved.transactionId,
    rev: approved.rev,
    tool: storableText(approved.tool),
    purpose: approved.purpose,
    operation_type: approved.operationType,
    idempotency_key: approved.idempotencyKey,
    proposal_id: approved.proposalId,
    digest: approved.digest,
    expires_at: instantOf(approved.expiresAt),
    invocation: jsonOf(approved.invocation),
  };
}

/** As a JSON column gives it back. */
export function jsonOf(value: unknown): unknown {
  const text = JSON.stringify(value);
  const read: unknown = text === undefined ? null : JSON.parse(text);
  return read;
}

function instantOf(at: string | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
