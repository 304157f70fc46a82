import { EvaluationResult, jsonSchemaOf, platformVersion, Problem } from '@latch/contracts';

/**
 * The OpenAPI 3.1 description of this API. The schemas are those of the contracts; `contracts/openapi.json` publishes it with the other services'.
 */
export function openApiDocument(): Record<string, unknown> {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Latch evaluator',
      version: platformVersion,
      summary: 'What the judges said of finished turns.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: 'http://127.0.0.1:9004', description: 'The evaluator of a local installation' }],
    tags: [{ name: 'evaluations' }],
    paths: { '/v1/evaluations': { get: listEvaluations } },
    components: { schemas: { EvaluationResult: jsonSchemaOf(EvaluationResult), Problem: jsonSchemaOf(Problem) } },
  };
}

const problem = {
  description: 'A problem (RFC 9457).',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

const listEvaluations = {
  tags: ['evaluations'],
  operationId: 'listEvaluations',
  summary: 'What the judges said of the turns of a conversation, newest first.',
  parameters: [
    {
      name: 'conversation_key',
      in: 'query',
      required: true,
      description: 'tenant_id:agent_id:session_id.',
      schema: { type: 'string', minLength: 1, maxLength: 512 },
    },
    {
      name: 'limit',
      in: 'query',
      required: false,
      description: 'At most so many.',
      schema: { type: 'integer', minimum: 1, maximum: 500, default: 50 },
    },
  ],
  responses: {
    200: {
      description: 'Found.',
      content: {
        'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/EvaluationResult' } } },
      },
    },
    422: problem,
    503: problem,
  },
};
