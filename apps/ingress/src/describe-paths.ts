import {
  headerParameter,
  jsonAnswer,
  needs,
  type OpenApiPart,
  operationsPaths,
  pathParameter,
  problemAnswers,
  queryParameters,
  readOperation,
  schemaRef,
  streamAnswer,
} from '@latch/http';
import { readPaths, TenantQuery } from '@latch/read-api';

/** Every path of the API with its parameters and answers. */
export function describePaths(): OpenApiPart {
  return {
    ...messagePaths(),
    ...turnPaths(),
    ...readPaths({ tenantIs: 'optional', scopes: ['read'] }),
    ...operationsPaths(),
  };
}

function messagePaths(): OpenApiPart {
  const shared = {
    tags: ['messages'],
    security: needs('speak', 'speak-for-others'),
    parameters: [preferHeader, contractHeader, traceparentHeader, requestIdHeader],
    requestBody: { required: true, content: { 'application/json': { schema: schemaRef('GatewayRequest') } } },
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
          200: jsonAnswer('The answer.', schemaRef('ChannelResponse')),
          202: jsonAnswer('Accepted; the answer was not there in time.', schemaRef('TurnStatus')),
          ...problemAnswers(400, 401, 403, 409, 413, 415, 422, 503),
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
          200: streamAnswer('The stream.'),
          ...problemAnswers(400, 401, 403, 413, 415, 422, 503),
        },
      },
    },
  };
}

const streamDescription = [
  'Frames, in order: `connected`, `workflow.started` (the turn is accepted), `message.responded` (a ChannelResponse), `workflow.completed`, `flow.end`.',
  'Between the second and the third, while tools run: any number of `tool.progress` (`tool_name`, `progress`, `total`, `message`), what their servers say. They may be lost.',
  'The last frame is always `flow.end` (`outcome`: `answered`, or `pending` with a `status_url` when the wait is over first) or `error` (a Problem; `auth.expired` when the credential ends first).',
].join('\n');

function turnPaths(): OpenApiPart {
  const read = readOperation('readTurn', {
    scopes: ['read', 'speak', 'speak-for-others'],
    summary: 'What became of a turn, with its answer when it is done. A user may ask for its own.',
    parameters: [pathParameter('turn_id'), ...queryParameters(TenantQuery)],
    schema: schemaRef('TurnView'),
  });
  return { '/v1/turns/{turn_id}': read };
}

const preferHeader = headerParameter(
  'Prefer',
  '`wait=SECONDS`, 0 to 120: how long to wait for the answer (RFC 7240). Default 30, in a stream 120.',
);
const contractHeader = headerParameter(
  'X-Agent-Framework-Contract',
  'The contract version of the body: `gateway-request-v1`.',
);
const traceparentHeader = headerParameter('traceparent', 'W3C trace context to continue.');
const requestIdHeader = headerParameter('x-request-id', 'Echoed in the answer, and kept with the turn.');
