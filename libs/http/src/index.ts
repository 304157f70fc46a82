export { type Access } from './access-gate.ts';
export { type Authenticate } from './authenticate.ts';
export { EventStream } from './event-stream.ts';
export { openHttpServer } from './http-server.ts';
export {
  headerParameter,
  jsonAnswer,
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
} from './openapi-parts.ts';
export { openAuthentication } from './open-authentication.ts';
export { type Principal, principalOf } from './principal.ts';
export { readQuery } from './read-query.ts';
export { invalidRequest, problemOf, type Refusal } from './refusal.ts';
export { contextOf, headerOf, type RequestContext } from './request-context.ts';
export { tenantOf } from './tenant-of.ts';
export { userOf } from './user-of.ts';
export { whenLapsed } from './when-lapsed.ts';
export { disconnectSignal, type Exchange, sendJson, sendRefusal } from './send.ts';
