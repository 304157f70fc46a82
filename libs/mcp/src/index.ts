export { Bulkhead, type BulkheadOptions } from './bulkhead.ts';
export { CircuitBreaker, type CircuitBreakerOptions, type CircuitState, type Passage } from './circuit-breaker.ts';
export { compileSchema, type SchemaCheck, type SchemaProblem } from './compile-schema.ts';
export { isServerFailure } from './is-server-failure.ts';
export { listLimits, type ToolListing } from './list-tools.ts';
export { type JsonSchema, type ListedTool } from './listed-tool.ts';
export {
  type CallProgress,
  idempotencyHeader,
  idempotencyMetaKey,
  type McpCall,
  type SessionOwner,
} from './mcp-call.ts';
export { McpClientPool, type McpClientPoolOptions } from './mcp-client-pool.ts';
export { retryDelay, type RetryPause } from './retry-delay.ts';
export { schemaHash } from './schema-hash.ts';
