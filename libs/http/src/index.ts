export { type Authenticate, authenticator, type Principal, tenantOf } from './auth.ts';
export { EventStream } from './event-stream.ts';
export { openHttpServer } from './http-server.ts';
export {
  headerParameter,
  jsonAnswer,
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
  streamAnswer,
} from './openapi-parts.ts';
export { readQuery } from './read-query.ts';
export { invalidRequest, problemOf, type Refusal } from './refusal.ts';
export { contextOf, headerOf, type RequestContext } from './request-context.ts';
export { disconnectSignal, type Exchange, sendJson, sendRefusal } from './send.ts';
