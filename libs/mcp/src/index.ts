export { Bulkhead } from './bulkhead.ts';
export { CircuitBreaker, type CircuitState } from './circuit-breaker.ts';
export { compileSchema, type SchemaCheck, type SchemaProblem } from './compile-schema.ts';
export { isServerFailure } from './is-server-failure.ts';
export { type ListedTool } from './listed-tool.ts';
export { type CallProgress, type McpCall } from './mcp-call.ts';
export { McpClientPool, type McpClientPoolOptions } from './mcp-client-pool.ts';
export { retryDelay } from './retry-delay.ts';
export { schemaHash } from './schema-hash.ts';
