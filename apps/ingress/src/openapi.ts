import { ChannelResponse, GatewayRequest, platformVersion } from '@latch/contracts';
import { operationsSchemas, problemCodes, schemaComponents, securitySchemes } from '@latch/http';
import { readSchemas } from '@latch/read-api';
import { z } from 'zod';
import { describePaths } from './describe-paths.ts';

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
      description: `Errors are RFC 9457 problems. Their \`code\` is one of:\n\n${problemCodes()}`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: 'http://127.0.0.1:9000', description: 'A local installation' }],
    tags: [{ name: 'messages' }, { name: 'reads' }, { name: 'operations' }],
    paths: describePaths(),
    components: {
      securitySchemes,
      schemas: schemaComponents({
        GatewayRequest,
        ChannelResponse,
        ...readSchemas,
        ...operationsSchemas,
        TurnStatus,
        TurnView,
      }),
    },
  };
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
