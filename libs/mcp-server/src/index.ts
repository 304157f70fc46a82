export { type LoggedCall } from './call-log.ts';
export { connectToDomain, type DomainClient, errorOf } from './connect-to-domain.ts';
export { type DomainServerSettings, domainServerSettings } from './domain-server-settings.ts';
export { answerWith, defineTool, type DomainTool, refuseWith, type ToolAnswer, type ToolCall } from './domain-tool.ts';
export { Fault } from './faults.ts';
export { type RememberedAnswer } from './first-answers.ts';
export { idempotencyKeyMeta, tenantMeta } from './read-call.ts';
export { reconcileTool } from './reconcile-tool.ts';
export { type DomainServer, serveDomain } from './serve-domain.ts';
