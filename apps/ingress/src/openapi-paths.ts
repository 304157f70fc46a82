import { z } from 'zod';
import { EventsQuery, TenantQuery, TransactionsQuery } from './queries.ts';

type Json = Record<string, unknown>;

/** Every path of the API with its parameters and answers. */
export function describePaths(): Json {
  return { ...messagePaths(), ...turnPaths(), ...conversationPaths(), ...transactionPaths(), ...operationsPaths() };
}

function messagePaths(): Json {
  const shared = {
    tags: ['messages'],
    parameters: [preferHeader, contractHeader, traceparentHeader, requestIdHeader],
    requestBody: { required: true, content: { 'application/json': { schema: ref('GatewayRequest') } } },
  };
  return {
    '/v1/messages': {
      post: {
        ...shared,
        operationId: 'sendMessage',
        summary: 'Send one user message and wait for its answer.',
        description:
          'The same `message_id` with the same body is the same turn and gets the same answer, byte for byte.',
        responses: {
          200: json('The answer.', ref('ChannelResponse')),
          202: json('Accepted; the answer was not there in time.', ref('TurnStatus')),
          ...problems(400, 401, 403, 409, 413, 415, 422, 503),
        },
      },
    },
    '/v1/messages/stream': {
      post: {
        ...shared,
        operationId: 'streamMessage',
        summary: 'Send one user message and follow its turn as server-sent events.',
        description: streamDescription,
        responses: {
          200: { description: 'The stream.', content: { 'text/event-stream': { schema: { type: 'string' } } } },
          ...problems(400, 401, 403, 413, 415, 422, 503),
        },
      },
    },
  };
}

const streamDescription = [
  'Frames, in order: `connected`, `workflow.started` (the turn is accepted), `message.responded` (a ChannelResponse), `workflow.completed`, `flow.end`.',
  'The last frame is always `flow.end` (`outcome`: `answered`, or `pending` with a `status_url` when the wait is over first) or `error` (a Problem).',
].join('\n');

function turnPaths(): Json {
  return {
    '/v1/turns/{turn_id}': read('readTurn', {
      summary: 'What became of a turn, with its answer when it is done.',
      parameters: [pathParameter('turn_id'), ...queryParameters(TenantQuery)],
      schema: ref('TurnView'),
    }),
  };
}

function conversationPaths(): Json {
  const key = pathParameter('key', 'tenant_id:agent_id:session_id, percent-encoded.');
  return {
    '/v1/conversations/{key}': read('readConversation', {
      summary: 'The state of a conversation.',
      parameters: [key],
      schema: ref('AgentState'),
    }),
    '/v1/conversations/{key}/events': read('readConversationEvents', {
      summary: 'The stored events of a conversation, in order. `Link` names the next page.',
      parameters: [key, ...queryParameters(EventsQuery)],
      schema: { type: 'array', items: ref('EventEnvelope') },
    }),
    '/v1/conversations/{key}/checkpoint': read('readConversationCheckpoint', {
      summary: 'The state of a conversation with its version and digests.',
      parameters: [key],
      schema: ref('Checkpoint'),
    }),
    '/v1/conversations/{key}/turns/{message_id}/explain': read('explainTurn', {
      summary: 'Why a turn went as it did: its reading, the rule that won, what lost, the state before and after.',
      parameters: [key, pathParameter('message_id', 'The `message_id` of the message.')],
      schema: ref('TurnExplanation'),
    }),
  };
}

function transactionPaths(): Json {
  return {
    '/v1/transactions': read('listTransactions', {
      summary: 'The transactions of a tenant, newest first.',
      parameters: queryParameters(TransactionsQuery),
      schema: { type: 'array', items: ref('TransactionSummary') },
    }),
    '/v1/transactions/{transaction_id}': read('readTransaction', {
      summary: 'One transaction, with its arguments and the outcome of each item.',
      parameters: [pathParameter('transaction_id'), ...queryParameters(TenantQuery)],
      schema: ref('Transaction'),
    }),
  };
}

function operationsPaths(): Json {
  const plain = (operationId: string, summary: string, responses: Json): Json => ({
    get: { tags: ['operations'], operationId, summary, responses },
  });
  const text = { description: 'Prometheus text.', content: { 'text/plain': { schema: { type: 'string' } } } };
  return {
    '/health': plain('readHealth', 'Whether the process is alive.', { 200: json('Alive.', ref('Health')) }),
    '/ready': plain('readReadiness', 'Whether traffic may come, and what is missing.', {
      200: json('Ready.', ref('Readiness')),
      503: json('Not ready.', ref('Readiness')),
    }),
    '/version': plain('readVersion', 'What runs here.', { 200: json('The version.', ref('Version')) }),
    '/metrics': plain('readMetrics', 'Prometheus metrics.', { 200: text }),
    '/openapi.json': plain('readOpenApi', 'This document.', { 200: json('This document.', { type: 'object' }) }),
  };
}

type Read = { readonly summary: string; readonly parameters: readonly Json[]; readonly schema: Json };

function read(operationId: string, { summary, parameters, schema }: Read): Json {
  const responses = { 200: json('Found.', schema), ...problems(401, 403, 404, 422, 503) };
  return { get: { tags: ['reads'], operationId, summary, parameters, responses } };
}

function ref(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}

function json(description: string, schema: Json): Json {
  return { description, content: { 'application/json': { schema } } };
}

function problems(...statuses: readonly number[]): Json {
  const content = { 'application/problem+json': { schema: ref('Problem') } };
  return Object.fromEntries(statuses.map((status) => [status, { description: 'A problem (RFC 9457).', content }]));
}

function pathParameter(name: string, description?: string): Json {
  return { name, in: 'path', required: true, schema: { type: 'string' }, ...(description ? { description } : {}) };
}

function queryParameters(schema: z.ZodObject): Json[] {
  return Object.entries(schema.shape).map(([name, field]) => {
    const {
      $schema: _dialect,
      description,
      ...shape
    } = z.toJSONSchema(field, { target: 'draft-2020-12', io: 'input' });
    return { name, in: 'query', required: false, description, schema: shape };
  });
}

function header(name: string, description: string): Json {
  return { name, in: 'header', required: false, description, schema: { type: 'string' } };
}

const preferHeader = header(
  'Prefer',
  '`wait=SECONDS`, 0 to 120: how long to wait for the answer (RFC 7240). Default 30, in a stream 120.',
);
const contractHeader = header('X-Agent-Framework-Contract', 'The contract version of the body: `gateway-request-v1`.');
const traceparentHeader = header('traceparent', 'W3C trace context to continue.');
const requestIdHeader = header('x-request-id', 'Echoed in the answer, and kept with the turn.');
