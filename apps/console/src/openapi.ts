import { Alarm, Instant, platformVersion, Severity } from '@latch/contracts';
import {
  headerParameter,
  needs,
  type OpenApiPart,
  operationsPaths,
  operationsSchemas,
  pathParameter,
  problemAnswers,
  problemCodes,
  queryParameters,
  readOperation,
  schemaComponents,
  schemaRef,
  securitySchemes,
  streamAnswer,
} from '@latch/http';
import { readPaths, readSchemas, TenantQuery } from '@latch/read-api';
import { z } from 'zod';
import { ChatQuery } from './chat.controller.ts';
import { DeadLettersQuery } from './dead-letters.controller.ts';
import { replayPaths, replaySchemas } from './replay-answers.ts';
import { SignalsQuery } from './signal-filter.ts';

/** The OpenAPI 3.1 description of this API; `contracts/openapi.json` publishes it with the other services'. */
export function openApiDocument(): Record<string, unknown> {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Latch console',
      version: platformVersion,
      summary: 'What an operator sees: signals, alarms, transactions, conversations, dead letters. It only reads.',
      description: `Every read belongs to a tenant. Errors are RFC 9457 problems. Their \`code\` is one of:\n\n${problemCodes()}`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: 'http://127.0.0.1:9005', description: 'The console of a local installation' }],
    tags: [{ name: 'reads' }, { name: 'console' }, { name: 'operations' }],
    paths: {
      ...pagePaths(),
      ...livePaths(),
      ...chatPaths(),
      ...replayPaths(),
      ...readPaths({ tenantIs: 'required', scopes: ['operate'] }),
      ...operationsPaths(),
    },
    components: {
      securitySchemes,
      schemas: schemaComponents({ ...readSchemas, ...operationsSchemas, ...ownSchemas, ...replaySchemas }),
    },
  };
}

const needsTenant = ['tenant_id'];

function pagePaths(): OpenApiPart {
  const html = { description: 'The page.', content: { 'text/html': { schema: { type: 'string' } } } };
  const file = { description: 'The file.', content: { '*/*': { schema: { type: 'string' } } } };
  const page = (operationId: string, summary: string, more: OpenApiPart): OpenApiPart => ({
    get: { tags: ['console'], operationId, summary, security: needs(), ...more },
  });
  return {
    '/': page('readPage', 'The page, for people.', { responses: { 200: html } }),
    '/page/{name}': page('readPageFile', 'A script or a style of the page.', {
      parameters: [pathParameter('name')],
      responses: { 200: file, ...problemAnswers(404) },
    }),
  };
}

function livePaths(): OpenApiPart {
  return {
    '/v1/signals/stream': {
      get: {
        tags: ['console'],
        operationId: 'streamSignals',
        security: needs('operate'),
        summary: 'The signals of a tenant and of the platform, live, as server-sent events.',
        description: streamDescription,
        parameters: [...queryParameters(SignalsQuery, needsTenant), lastEventId],
        responses: { 200: streamAnswer('The stream.'), ...problemAnswers(401, 403, 422, 503) },
      },
    },
    '/v1/alarms': consoleRead('listAlarms', {
      summary: 'The alarms that are raised and not cleared, the gravest first.',
      parameters: queryParameters(TenantQuery, needsTenant),
      schema: schemaRef('Alarms'),
    }),
    '/v1/dead-letters': consoleRead('listDeadLetters', {
      summary: 'Messages that could not be handled, masked, the newest first; and how many there were of each kind.',
      parameters: queryParameters(DeadLettersQuery, needsTenant),
      schema: schemaRef('DeadLetters'),
    }),
    '/v1/overview': consoleRead('readOverview', {
      summary: 'A tenant at a glance: the transactions of the last 24 hours, raised alarms, dead letters.',
      parameters: queryParameters(TenantQuery, needsTenant),
      schema: schemaRef('Overview'),
    }),
  };
}

const streamDescription = [
  'Frames: `connected` (`is_incomplete`: more was missed than is kept), `signal` (an EventEnvelope whose payload is masked; its `id` is the `event_id`),',
  '`closing` (connect again), `error` (a Problem: the credential is not good any more). Comments in between are signs of life.',
].join('\n');

const lastEventId = headerParameter(
  'Last-Event-ID',
  'The `event_id` of the last signal that was seen: the stream goes on after it.',
);

function chatPaths(): OpenApiPart {
  return {
    '/v1/conversations/{key}/chat': consoleRead('readChat', {
      summary: 'What was said in a conversation, turn by turn. `Link` names the next page.',
      parameters: [
        pathParameter('key', 'tenant_id:agent_id:session_id, percent-encoded.'),
        ...queryParameters(ChatQuery),
      ],
      schema: { type: 'array', items: schemaRef('ChatTurn') },
    }),
  };
}

function consoleRead(
  operationId: string,
  of: Omit<Parameters<typeof readOperation>[1], 'tag' | 'scopes'>,
): OpenApiPart {
  return readOperation(operationId, { tag: 'console', scopes: ['operate'], ...of });
}

const isCatchingUp = z.boolean().describe('Whether what came before the console began is still being read.');

const Alarms = z.looseObject({
  alarms: z.array(
    Alarm.extend({
      event_type: z.string(),
      tenant_id: z.string().describe('The tenant, or `platform` for a condition of the installation.'),
      conversation_key: z.string().optional(),
    }),
  ),
  is_catching_up: isCatchingUp,
});

const DeadLetters = z.looseObject({
  total: z.int(),
  counts: z.array(z.looseObject({ topic: z.string(), code: z.string(), count: z.int() })),
  letters: z.array(
    z.looseObject({
      event_id: z.string(),
      tenant_id: z.string(),
      topic: z.string(),
      partition: z.int(),
      offset: z.string(),
      key: z.string().nullable(),
      reason: z.looseObject({ code: z.string(), message: z.string() }),
      consumer: z.string(),
      attempts: z.int(),
      failed_at: Instant,
      bytes: z.int().describe('Size of the original message.'),
      text: z.string().nullable().describe('The beginning of the message, masked; null where its bytes are no text.'),
      sent_again: z
        .looseObject({ times: z.int(), last_at: Instant })
        .nullable()
        .describe('How often an operator has sent the message again, and when last; null: never.'),
    }),
  ),
  is_catching_up: isCatchingUp,
});

const Overview = z.looseObject({
  tenant_id: z.string(),
  since: Instant,
  transactions: z.array(z.looseObject({ status: z.string(), outcome: z.string().nullable(), count: z.int() })),
  alarms: z.partialRecord(Severity, z.int()).describe('Raised alarms by severity.'),
  dead_letters: z.int(),
  open_streams: z.int().describe('Live streams of the tenant that are open.'),
  is_catching_up: isCatchingUp,
});

const ChatTurn = z.looseObject({
  sequence: z.int(),
  turn_id: z.string(),
  message_id: z.string().nullable(),
  at: Instant,
  said: z.string().nullable().describe('What the user wrote; null where it was erased, or where a button spoke.'),
  answered: z.string().nullable().describe('What was answered; null while it is under way, or where it was erased.'),
  status: z.enum(['in_flight', 'done']),
  transaction_id: z.string().nullable(),
});

const ownSchemas = { Alarms, DeadLetters, Overview, ChatTurn };
