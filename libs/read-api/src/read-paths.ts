import { AgentState, Checkpoint, EventEnvelope, EvidenceBundle, TurnExplanation } from '@latch/contracts';
import { type OpenApiPart, pathParameter, queryParameters, readOperation, schemaRef } from '@latch/http';
import { z } from 'zod';
import { ConversationQuery, EventsQuery, StateQuery, TenantQuery, TransactionsQuery } from './queries.ts';

/** How a service serves the shared reads. */
type ServedReads = {
  /** Whether a read must name its tenant. */
  readonly tenantIs: 'required' | 'optional';
  /** The scopes of which a credential needs one there. */
  readonly scopes: Parameters<typeof readOperation>[1]['scopes'];
};

/** The paths of the shared reads, for a service's OpenAPI document. */
export function readPaths({ tenantIs, scopes }: ServedReads): OpenApiPart {
  const required = tenantIs === 'required' ? ['tenant_id'] : [];
  return { ...conversationPaths(scopes), ...transactionPaths({ required, scopes }) };
}

function conversationPaths(scopes: ServedReads['scopes']): OpenApiPart {
  const key = pathParameter('key', 'tenant_id:agent_id:session_id, percent-encoded.');
  return {
    '/v1/conversations/{key}': readOperation('readConversation', {
      scopes,
      summary: 'The state of a conversation.',
      parameters: [key, ...queryParameters(ConversationQuery)],
      schema: schemaRef('AgentState'),
    }),
    '/v1/conversations/{key}/events': readOperation('readConversationEvents', {
      scopes,
      summary: 'The stored events of a conversation, in order. `Link` names the next page.',
      parameters: [key, ...queryParameters(EventsQuery)],
      schema: { type: 'array', items: schemaRef('EventEnvelope') },
    }),
    '/v1/conversations/{key}/checkpoint': readOperation('readConversationCheckpoint', {
      scopes,
      summary: 'The state of a conversation with its version and digests.',
      parameters: [key, ...queryParameters(ConversationQuery)],
      schema: schemaRef('Checkpoint'),
    }),
    '/v1/conversations/{key}/state': readOperation('readConversationState', {
      scopes,
      summary: 'The state of a conversation as it was after one of its events: time travel.',
      parameters: [key, ...queryParameters(StateQuery)],
      schema: schemaRef('Checkpoint'),
    }),
    '/v1/conversations/{key}/turns/{message_id}/explain': readOperation('explainTurn', {
      scopes,
      summary: 'Why a turn went as it did: its reading, the rule that won, what lost, the state before and after.',
      parameters: [
        key,
        pathParameter('message_id', 'The `message_id` of the message.'),
        ...queryParameters(ConversationQuery),
      ],
      schema: schemaRef('TurnExplanation'),
    }),
  };
}

function transactionPaths({
  required,
  scopes,
}: Pick<ServedReads, 'scopes'> & { readonly required: readonly string[] }): OpenApiPart {
  return {
    '/v1/transactions': readOperation('listTransactions', {
      scopes,
      summary: 'The transactions of a tenant, newest first. `Link` names the next page.',
      parameters: queryParameters(TransactionsQuery, required),
      schema: { type: 'array', items: schemaRef('TransactionSummary') },
    }),
    '/v1/transactions/{transaction_id}': readOperation('readTransaction', {
      scopes,
      summary: 'One transaction, with its arguments, the outcome of each item, and its timeline.',
      parameters: [pathParameter('transaction_id'), ...queryParameters(TenantQuery, required)],
      schema: schemaRef('Transaction'),
    }),
    '/v1/transactions/{transaction_id}/evidence': readOperation('readEvidence', {
      scopes,
      summary: 'The evidence bundle of a transaction: one file that `latch verify` checks without a database.',
      parameters: [pathParameter('transaction_id'), ...queryParameters(TenantQuery, required)],
      schema: schemaRef('EvidenceBundle'),
    }),
  };
}

const TransactionSummary = z.looseObject({
  transaction_id: z.string(),
  tenant_id: z.string(),
  agent_id: z.string(),
  conversation_key: z.string(),
  tool: z.string(),
  status: z.string(),
  rev: z.int().describe('Revision of the proposal; 0 before the first.'),
  outcome: z.string().nullable(),
  items_count: z.int(),
  started_at: z.iso.datetime(),
  ended_at: z.iso.datetime().nullable(),
});

const Transaction = TransactionSummary.extend({
  arguments: z.record(z.string(), z.unknown()),
  items: z.array(
    z.looseObject({
      id: z.string(),
      label: z.string(),
      outcome: z.enum(['succeeded', 'failed', 'unknown']).nullable(),
      reason: z.string().nullable(),
      protocol: z.string().nullable(),
    }),
  ),
  timeline: z.array(EventEnvelope).describe('The stored events of the transaction, in order; at most 500.'),
});

/** The schemas that `readPaths` points at. */
export const readSchemas = {
  AgentState,
  Checkpoint,
  EventEnvelope,
  EvidenceBundle,
  TurnExplanation,
  TransactionSummary,
  Transaction,
};
