export { Bulkhead, type BulkheadOptions } from './bulkhead.ts';
export { CircuitBreaker, type CircuitBreakerOptions, type CircuitState, type Passage } from './circuit-breaker.ts';
export { isServerFailure } from './is-server-failure.ts';
export { idempotencyHeader, idempotencyMetaKey, type McpCall, type SessionOwner } from './mcp-call.ts';
export { McpClientPool, type McpClientPoolOptions } from './mcp-client-pool.ts';
export { retryDelay, type RetryPause } from './retry-delay.ts';
