export { ConversationsController } from './conversations.controller.ts';
export { mostEvents } from './explain-turn.ts';
export { findConversation } from './find-conversation.ts';
export { TenantQuery } from './queries.ts';
export { type ReadApi, readApiToken } from './read-api.ts';
export { readPaths, readSchemas } from './read-paths.ts';
export { StoreReader, type StoreReads } from './store-reader.ts';
export { type TenantScope, tenantScopeOf } from './tenant-scope.ts';
export { TransactionsController } from './transactions.controller.ts';
