import { type ToolExecution } from '@latch/contracts';
import { type ReceivedEnvelope } from '@latch/messaging';
import { type Metrics } from '@latch/observability';
import { readToolResult } from '@latch/outcome';

/** Counts executions under the names of DESIGN section 11a. */
export function createExecutionMetrics(
  metrics: Pick<Metrics, 'toolCalls' | 'toolCallDuration' | 'outcomeUnknown'>,
): (execution: ToolExecution) => void {
  return (execution) => {
    const { tool_name: tool, outcome = 'UNKNOWN', error } = readToolResult(execution);
    const server = execution.server ?? 'none';
    metrics.toolCalls.inc({ server, tool, outcome, error_category: error?.errorCategory ?? 'none' });
    metrics.toolCallDuration.observe({}, execution.latency_ms / 1000);
    if (outcome === 'UNKNOWN') metrics.outcomeUnknown.inc({ tool });
  };
}

/** Counts the operator's problems that were raised. */
export function countSignals(metrics: Pick<Metrics, 'signals'>, signals: readonly ReceivedEnvelope[]): void {
  for (const { event_type: type } of signals) metrics.signals.inc({ type });
}
