import { type Scope, scopeMeanings, scopes } from '@latch/config';
import { errorCatalogue, jsonSchemaOf, Problem } from '@latch/contracts';
import { z } from 'zod';

/** A part of an OpenAPI document. */
export type OpenApiPart = Record<string, unknown>;

/** The schemas of the document, by name. */
export function schemaComponents(schemas: Readonly<Record<string, z.ZodType>>): OpenApiPart {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, jsonSchemaOf(schema)]));
}

/** The codes that an API's problems may have, as a list for people. */
export function problemCodes(): string {
  return Object.entries(errorCatalogue)
    .filter(([code]) => !/^(tool|message)\./.test(code))
    .map(([code, meaning]) => `* \`${code}\`: ${meaning}`)
    .join('\n');
}

/** How callers are known, for `components.securitySchemes`. */
export const securitySchemes = {
  credential: {
    type: 'http',
    scheme: 'bearer',
    description: [
      'A token of the issuer (JWT) or an API key (`latch_…`), as `LATCH_AUTH` says; where it says `off`, none. One of the named scopes is enough; of `read` and `operate`, ingress asks for the first and the console for the second.',
      '',
      ...scopes.map((scope) => `* \`${scope}\`: ${scopeMeanings[scope]}`),
    ].join('\n'),
  },
};

/** The scopes of which a credential needs one; none given: no credential is needed. */
export function needs(...named: readonly Scope[]): readonly OpenApiPart[] {
  return named.map((scope) => ({ credential: [scope] }));
}

/** Points at a schema of the document. */
export function schemaRef(name: string): OpenApiPart {
  return { $ref: `#/components/schemas/${name}` };
}

/** An answer in JSON. */
export function jsonAnswer(description: string, schema: OpenApiPart): OpenApiPart {
  return { description, content: { 'application/json': { schema } } };
}

/** An answer as server-sent events. */
export function streamAnswer(description: string): OpenApiPart {
  return { description, content: { 'text/event-stream': { schema: { type: 'string' } } } };
}

/** The problems (RFC 9457) that an operation answers with these statuses. */
export function problemAnswers(...statuses: readonly number[]): OpenApiPart {
  const content = { 'application/problem+json': { schema: schemaRef('Problem') } };
  return Object.fromEntries(statuses.map((status) => [status, { description: 'A problem (RFC 9457).', content }]));
}

/** A parameter of a path. */
export function pathParameter(name: string, description?: string): OpenApiPart {
  return { name, in: 'path', required: true, schema: { type: 'string' }, ...(description ? { description } : {}) };
}

/** An optional header of a request. */
export function headerParameter(name: string, description: string): OpenApiPart {
  return { name, in: 'header', required: false, description, schema: { type: 'string' } };
}

/** The parameters of a query, as the schema that checks them says. `required` names those that a caller must give. */
export function queryParameters(schema: z.ZodObject, required: readonly string[] = []): readonly OpenApiPart[] {
  return Object.entries(schema.shape).map(([name, field]) => {
    const {
      $schema: _dialect,
      description,
      ...shape
    } = z.toJSONSchema(field, { target: 'draft-2020-12', io: 'input' });
    return { name, in: 'query', required: required.includes(name), description, schema: shape };
  });
}

/** A read: what it gives, and the problems that every read may answer. */
export function readOperation(
  operationId: string,
  of: {
    readonly tag?: string;
    /** One of them is enough. */
    readonly scopes: readonly Scope[];
    readonly summary: string;
    readonly parameters: readonly OpenApiPart[];
    readonly schema: OpenApiPart;
  },
): OpenApiPart {
  const { tag = 'reads', scopes: needed, summary, parameters, schema } = of;
  const responses = { 200: jsonAnswer('Found.', schema), ...problemAnswers(401, 403, 404, 422, 503) };
  const security = needs(...needed);
  return { get: { tags: [tag], operationId, summary, security, parameters, responses } };
}

/** The endpoints that every service has, and the description itself. */
export function operationsPaths(): OpenApiPart {
  const plain = (operationId: string, summary: string, responses: OpenApiPart): OpenApiPart => ({
    get: { tags: ['operations'], operationId, summary, security: needs(), responses },
  });
  const text = { description: 'Prometheus text.', content: { 'text/plain': { schema: { type: 'string' } } } };
  return {
    '/health': plain('readHealth', 'Whether the process is alive.', { 200: jsonAnswer('Alive.', schemaRef('Health')) }),
    '/ready': plain('readReadiness', 'Whether traffic may come, and what is missing.', {
      200: jsonAnswer('Ready.', schemaRef('Readiness')),
      503: jsonAnswer('Not ready.', schemaRef('Readiness')),
    }),
    '/version': plain('readVersion', 'What runs here.', { 200: jsonAnswer('The version.', schemaRef('Version')) }),
    '/metrics': plain('readMetrics', 'Prometheus metrics.', { 200: text }),
    '/openapi.json': plain('readOpenApi', 'This document.', {
      200: jsonAnswer('This document.', { type: 'object' }),
    }),
  };
}

const Health = z.looseObject({ status: z.literal('ok'), service: z.string() });
const Readiness = z.looseObject({
  status: z.enum(['ready', 'not_ready']),
  components: z.record(z.string(), z.looseObject({ ok: z.boolean(), detail: z.string().optional() })),
});
const Version = z.looseObject({ service: z.string(), version: z.string(), node: z.string() });

/** The schemas that `operationsPaths` and `problemAnswers` point at. */
export const operationsSchemas = { Problem, Health, Readiness, Version };
