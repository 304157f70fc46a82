export { connectToDomain, type DomainClient, errorOf } from './connect-to-domain.ts';
export { type DomainServerSettings, domainServerSettings } from './domain-server-settings.ts';
export { answerWith, defineTool, type DomainTool, refuseWith, type ToolAnswer, type ToolCall } from './domain-tool.ts';
export { Fault } from './faults.ts';
export { reconcileTool } from './reconcile-tool.ts';
export { serveDomain } from './serve-domain.ts';
