import { type InvocationPurpose, type OperationType, type ToolInvocation } from '@latch/contracts';
import { type ChainedAppend } from './chain-append.ts';
import { type ApprovedInvocation } from './conversation-append.ts';
import { type Sql } from './database.ts';

/** Stores what the engine approved. A second execution under one idempotency key fails the batch: it would be a second effect (invariant I3). */
export async function insertInvocations(sql: Sql, conversations: readonly ChainedAppend[]): Promise<void> {
  const rows = conversations.flatMap(({ invocations, streamId }) =>
    invocations.map((invocation) => ({ ...invocation, streamId })),
  );
  if (rows.length === 0) return;
  await sql(
    `INSERT INTO approved_invocations (invocation_id, stream_id, tenant_id, agent_id, transaction_id, rev, tool, purpose,
       operation_type, proposal_id, idempotency_key, expires_at, digest, invocation)
     SELECT invocation_id, stream_id, tenant_id, agent_id, transaction_id, rev, tool, purpose,
       operation_type, proposal_id, idempotency_key, expires_at, digest, invocation::json
     FROM unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::int[], $7::text[], $8::text[], $9::text[],
       $10::text[], $11::text[], $12::timestamptz[], $13::text[], $14::text[]
     ) AS i (invocation_id, stream_id, tenant_id, agent_id, transaction_id, rev, tool, purpose,
       operation_type, proposal_id, idempotency_key, expires_at, digest, invocation)`,
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
      rows.map(({ proposalId }) => proposalId),
      rows.map(({ idempotencyKey }) => idempotencyKey),
      rows.map(({ expiresAt }) => expiresAt),
      rows.map(({ digest }) => digest),
      rows.map(({ invocation }) => JSON.stringify(invocation)),
    ],
  );
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
  digest: string;
  invocation: ToolInvocation;
};

/** What the engine approved under these ids; an id that it never approved is absent from the answer. */
export async function readApprovedInvocations(
  sql: Sql,
  invocationIds: readonly string[],
): Promise<Map<string, ApprovedInvocation>> {
  if (invocationIds.length === 0) return new Map();
  const rows = await sql<InvocationRow>(
    `SELECT a.invocation_id, a.tenant_id, a.agent_id, s.conversation_key, a.transaction_id, a.rev, a.tool, a.purpose,
       a.operation_type, a.proposal_id, a.idempotency_key, a.expires_at, a.digest, a.invocation
     FROM approved_invocations a JOIN streams s USING (stream_id)
     WHERE a.invocation_id = ANY($1::text[])`,
    [invocationIds],
  );
  return new Map(rows.map((row) => [row.invocation_id, approvedOf(row)]));
}

function approvedOf(row: InvocationRow): ApprovedInvocation {
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
    proposalId: row.proposal_id,
    idempotencyKey: row.idempotency_key,
    expiresAt: row.expires_at?.toISOString() ?? null,
    digest: row.digest,
    invocation: row.invocation,
  };
}
