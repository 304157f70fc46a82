import { type InvocationPurpose, type OperationType, type ToolInvocation } from '@latch/contracts';
import { type ChainedAppend } from './chain-append.ts';
import { type ApprovedInvocation } from './conversation-append.ts';
import { type Sql } from './database.ts';
import { packIds, unpackIds } from './row-ids.ts';
import { sealedMember, sealedPartOf } from './seal-payload.ts';
import { sealedOfBytes, storedValue, type StoredValue } from './sealed-column.ts';

/** Stores what the engine approved. A second execution under one idempotency key fails the batch: it would be a second effect (invariant I3). */
export async function insertInvocations(sql: Sql, conversations: readonly ChainedAppend[]): Promise<void> {
  const rows = conversations.flatMap(({ invocations, streamId }) =>
    invocations.map((approved) => ({ ...approved, streamId, ...storedInvocation(approved) })),
  );
  if (rows.length === 0) return;
  await sql(
    `INSERT INTO approved_invocations (invocation_id, stream_id, tenant_id, agent_id, transaction_id, rev, tool, purpose,
       operation_type, idempotency_key, expires_at, ids, invocation, sealed_invocation)
     SELECT invocation_id, stream_id, tenant_id, agent_id, transaction_id, rev, tool, purpose,
       operation_type, idempotency_key, expires_at, ids, invocation::json, sealed_invocation
     FROM unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::int[], $7::text[], $8::text[], $9::text[],
       $10::text[], $11::timestamptz[], $12::bytea[], $13::text[], $14::bytea[]
     ) AS i (invocation_id, stream_id, tenant_id, agent_id, transaction_id, rev, tool, purpose,
       operation_type, idempotency_key, expires_at, ids, invocation, sealed_invocation)`,
    [
      rows.map(({ invocationId }) => invocationId),
      rows.map(({ streamId }) => streamId),
      rows.map(({ tenantId }) => tenantId),
      rows.map(({ agentId }) => agentId),
      rows.map(({ transactionId }) => transactionId),
      rows.map(({ rev }) => rev),
      rows.map(({ tool }) => tool),
      rows.map(({ purpose }) => purpose),
      rows.map(({ operationType }) => operationType),
      rows.map(({ idempotencyKey }) => idempotencyKey),
      rows.map(({ expiresAt }) => expiresAt),
      rows.map(({ proposalId, digest }) => packIds([proposalId, digest])),
      rows.map(({ clear }) => clear),
      rows.map(({ sealed }) => sealed),
    ],
  );
}

/** Of a sealed call only what is sealed: what stands beside it is in the columns. */
function storedInvocation({ invocation }: ApprovedInvocation): StoredValue {
  return storedValue(sealedPartOf(invocation) ?? JSON.stringify(invocation));
}

type InvocationRow = {
  invocation_id: string;
  tenant_id: string;
  agent_id: string;
  conversation_key: string;
  transaction_id: string;
  rev: number;
  tool: string;
  purpose: InvocationPurpose;
  operation_type: OperationType;
  proposal_id: string | null;
  idempotency_key: string;
  expires_at: Date | null;
  /** Null where `ids` holds it and the proposal. */
  digest: string | null;
  ids: Buffer | null;
  invocation: ToolInvocation | null;
  sealed_invocation: Buffer | null;
};

/** What the engine approved under these ids; an id that it never approved is absent from the answer. */
export async function readApprovedInvocations(
  sql: Sql,
  invocationIds: readonly string[],
): Promise<Map<string, ApprovedInvocation>> {
  if (invocationIds.length === 0) return new Map();
  const rows = await sql<InvocationRow>(
    `SELECT a.invocation_id, a.tenant_id, a.agent_id, s.conversation_key, a.transaction_id, a.rev, a.tool, a.purpose,
       a.operation_type, a.proposal_id, a.idempotency_key, a.expires_at, a.digest, a.ids, a.invocation, a.sealed_invocation
     FROM approved_invocations a JOIN streams s USING (stream_id)
     WHERE a.invocation_id = ANY($1::text[])`,
    [invocationIds],
  );
  return new Map(rows.map((row) => [row.invocation_id, approvedOf(row)]));
}

function approvedOf(row: InvocationRow): ApprovedInvocation {
  const [proposalId, digest] = row.ids === null ? [row.proposal_id, row.digest] : unpackIds(row.ids);
  return {
    invocationId: row.invocation_id,
    tenantId: row.tenant_id,
    agentId: row.agent_id,
    conversationKey: row.conversation_key,
    transactionId: row.transaction_id,
    rev: row.rev,
    tool: row.tool,
    purpose: row.purpose,
    operationType: row.operation_type,
    proposalId: proposalId ?? null,
    idempotencyKey: row.idempotency_key,
    expiresAt: row.expires_at?.toISOString() ?? null,
    digest: digest ?? '',
    invocation: invocationOf(row),
  };
}

function invocationOf({ invocation, sealed_invocation: sealed, ...row }: InvocationRow): ToolInvocation {
  if (invocation !== null) return invocation;
  const { tenant_id, agent_id, tool: tool_name } = row;
  const part = sealed === null ? {} : { [sealedMember]: sealedOfBytes(sealed) };
  return { tenant_id, agent_id, tool_name, arguments: {}, ...part };
}
