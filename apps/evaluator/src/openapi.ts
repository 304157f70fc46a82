import { EvaluationResult, platformVersion } from '@latch/contracts';
import {
  operationsPaths,
  operationsSchemas,
  problemCodes,
  queryParameters,
  readOperation,
  schemaComponents,
  schemaRef,
  securitySchemes,
} from '@latch/http';
import { EvaluationsQuery } from './evaluations-query.ts';

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
      description: `Errors are RFC 9457 problems. Their \`code\` is one of:\n\n${problemCodes()}`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: 'http://127.0.0.1:9004', description: 'The evaluator of a local installation' }],
    tags: [{ name: 'evaluations' }, { name: 'operations' }],
    paths: {
      '/v1/evaluations': readOperation('listEvaluations', {
        tag: 'evaluations',
        scopes: ['evaluate'],
        summary: 'What the judges said of the turns of a conversation, newest first.',
        parameters: queryParameters(EvaluationsQuery, ['conversation_key']),
        schema: { type: 'array', items: schemaRef('EvaluationResult') },
      }),
      ...operationsPaths(),
    },
    components: { securitySchemes, schemas: schemaComponents({ EvaluationResult, ...operationsSchemas }) },
  };
}
