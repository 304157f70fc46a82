import {
  AgentState,
  ChannelResponse,
  Checkpoint,
  errorCatalogue,
  EventEnvelope,
  GatewayRequest,
  jsonSchemaOf,
  platformVersion,
  Problem,
  TurnExplanation,
} from '@latch/contracts';
import { z } from 'zod';
import { describePaths } from './openapi-paths.ts';

/**
 * The OpenAPI 3.1 description of this API. The schemas are those of the contracts, so that the description cannot say anything else than what is
 * checked; `contracts/openapi.json` is its published form.
 */
export function openApiDocument(): Record<string, unknown> {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Latch ingress',
      version: platformVersion,
      summary: 'User messages in, answers out; and what is known of conversations, turns and transactions.',
      description: `Errors are RFC 9457 problems. Their \`code\` is one of:\n\n${codeList()}`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: 'http://127.0.0.1:9000', description: 'A local installation' }],
    tags: [{ name: 'messages' }, { name: 'reads' }, { name: 'operations' }],
    paths: describePaths(),
    components: { schemas: componentSchemas() },
  };
}

function codeList(): string {
  return Object.entries(errorCatalogue)
    .filter(([code]) => !/^(tool|message)\./.test(code))
    .map(([code, meaning]) => `* \`${code}\`: ${meaning}`)
    .join('\n');
}

function componentSchemas(): Record<string, unknown> {
  const published = {
    GatewayRequest,
    ChannelResponse,
    AgentState,
    Checkpoint,
    EventEnvelope,
    TurnExplanation,
    Problem,
  };
  const schemas = { ...published, ...ownSchemas };
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, jsonSchemaOf(schema)]));
}

const TurnStatus = z.looseObject({
  turn_id: z.string(),
  status_url: z.string().describe('Where to ask for the answer.'),
});

const TurnView = z.looseObject({
  turn_id: z.string(),
  status: z.enum(['in_flight', 'done']),
  conversation_key: z.string(),
  message_id: z.string(),
  response: ChannelResponse.nullable().describe('The answer, exactly as its caller got it; null while in flight.'),
});

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
});

const Health = z.looseObject({ status: z.literal('ok'), service: z.string() });
const Readiness = z.looseObject({
  status: z.enum(['ready', 'not_ready']),
  components: z.record(z.string(), z.looseObject({ ok: z.boolean(), detail: z.string().optional() })),
});
const Version = z.looseObject({ service: z.string(), version: z.string(), node: z.string() });

const ownSchemas = { TurnStatus, TurnView, TransactionSummary, Transaction, Health, Readiness, Version };
