import prometheus from 'prom-client';
import { type Counter, counter, type Gauge, gauge, type Histogram, histogram } from './metric-kinds.ts';

/**
 * The metrics of one service under the exact names of DESIGN section 11a. A metric appears in the output from its first sample on, so that a
 * service shows only what it measures. A label keeps at most 100 values; what comes after is counted as `other`.
 */
export type Metrics = TurnMetrics &
  ToolMetrics &
  PipelineMetrics & {
    /** The Prometheus text of all samples. */
    render(): Promise<string>;
    readonly contentType: string;
  };

type TurnMetrics = {
  readonly turns: Counter<'agent' | 'channel' | 'outcome'>;
  /** From acceptance to answer. */
  readonly turnDuration: Histogram<never>;
  readonly transactions: Counter<'tool' | 'outcome'>;
  readonly transactionsActive: Gauge<'status'>;
  readonly confirmations: Counter<'decision'>;
  readonly foldMismatch: Counter<never>;
};

type ToolMetrics = {
  readonly toolCalls: Counter<'server' | 'tool' | 'outcome' | 'error_category'>;
  readonly toolCallDuration: Histogram<never>;
  readonly items: Counter<'tool' | 'result'>;
  /** Rises only: how many were cleared up later is not known here. */
  readonly outcomeUnknown: Counter<'tool'>;
  /** 0 closed, 1 half open, 2 open. */
  readonly circuitState: Gauge<'server'>;
  /** Tools with an effect that are not called until an operator accepts their new schema. */
  readonly toolSchemasPending: Gauge<'server'>;
};

type PipelineMetrics = {
  readonly outboxPending: Gauge<never>;
  readonly outboxOldestAge: Gauge<never>;
  readonly consumerLag: Gauge<'group' | 'topic'>;
  /** By the topic that the message came from. */
  readonly deadLetters: Counter<'topic'>;
  /** 1 while an event lies in no month's partition, else 0. */
  readonly eventsOutsidePartitions: Gauge<never>;
  /** When all evidence was last under a seal, in seconds since 1970. */
  readonly evidenceSealedTime: Gauge<never>;
  /** When retention was last applied, or the job that applies it began, in seconds since 1970. */
  readonly retentionAppliedTime: Gauge<never>;
  /** NOC and GRL events that this service raised, by event type. */
  readonly signals: Counter<'type'>;
  /** Requests whose credential was not accepted, by why. */
  readonly authFailures: Counter<'reason'>;
};

/** Creates the metrics of one service, with `latch_build_info` and Node's process metrics. */
export function createMetrics({ service, version }: { readonly service: string; readonly version: string }): Metrics {
  const registry = new prometheus.Registry();
  registry.setDefaultLabels({ service });
  prometheus.collectDefaultMetrics({ register: registry });
  const buildInfo = gauge(registry, { name: 'build_info', help: 'What runs here.', labels: ['version', 'node'] });
  buildInfo.set({ version, node: process.version }, 1);
  return {
    ...turnMetrics(registry),
    ...toolMetrics(registry),
    ...pipelineMetrics(registry),
    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function turnMetrics(registry: prometheus.Registry): TurnMetrics {
  return {
    turns: counter(registry, {
      name: 'turns_total',
      help: 'Turns by how they ended.',
      labels: ['agent', 'channel', 'outcome'],
    }),
    turnDuration: histogram(registry, {
      name: 'turn_duration_seconds',
      help: 'Time from acceptance of a turn to its answer.',
      labels: [],
    }),
    transactions: counter(registry, {
      name: 'transactions_total',
      help: 'Transactions that ended.',
      labels: ['tool', 'outcome'],
    }),
    transactionsActive: gauge(registry, {
      name: 'transactions_active',
      help: 'Open transactions.',
      labels: ['status'],
    }),
    confirmations: counter(registry, {
      name: 'confirmations_total',
      help: 'Answers to a proposal.',
      labels: ['decision'],
    }),
    foldMismatch: counter(registry, {
      name: 'fold_mismatch_total',
      help: 'Stored states that differ from the fold of their events.',
      labels: [],
    }),
  };
}

function toolMetrics(registry: prometheus.Registry): ToolMetrics {
  return {
    toolCalls: counter(registry, {
      name: 'tool_calls_total',
      help: 'MCP calls that ended.',
      labels: ['server', 'tool', 'outcome', 'error_category'],
    }),
    toolCallDuration: histogram(registry, {
      name: 'tool_call_duration_seconds',
      help: 'Time of one MCP call, all attempts included.',
      labels: [],
    }),
    items: counter(registry, { name: 'items_total', help: 'Items of tool results.', labels: ['tool', 'result'] }),
    outcomeUnknown: counter(registry, {
      name: 'outcome_unknown',
      help: 'Calls that ended with an unknown outcome.',
      labels: ['tool'],
    }),
    circuitState: gauge(registry, {
      name: 'circuit_state',
      help: 'Breaker of an MCP server: 0 closed, 1 half open, 2 open.',
      labels: ['server'],
    }),
    toolSchemasPending: gauge(registry, {
      name: 'tool_schemas_pending',
      help: 'Tools with an effect that are not called until an operator accepts their new schema.',
      labels: ['server'],
    }),
  };
}

function pipelineMetrics(registry: prometheus.Registry): PipelineMetrics {
  return {
    outboxPending: gauge(registry, {
      name: 'outbox_pending',
      help: 'Committed messages that are not known to be published.',
      labels: [],
    }),
    outboxOldestAge: gauge(registry, {
      name: 'outbox_oldest_age_seconds',
      help: 'Age of the oldest committed message that is not known to be published.',
      labels: [],
    }),
    consumerLag: gauge(registry, {
      name: 'consumer_lag',
      help: 'Messages that wait to be consumed.',
      labels: ['group', 'topic'],
    }),
    eventsOutsidePartitions: gauge(registry, {
      name: 'events_outside_partitions',
      help: '1 while an event lies in no partition of a month.',
      labels: [],
    }),
    evidenceSealedTime: gauge(registry, {
      name: 'evidence_sealed_timestamp_seconds',
      help: 'When all evidence was last under a seal, in seconds since 1970.',
      labels: [],
    }),
    retentionAppliedTime: gauge(registry, {
      name: 'retention_applied_timestamp_seconds',
      help: 'When retention was last applied, or the job that applies it began, in seconds since 1970.',
      labels: [],
    }),
    deadLetters: counter(registry, {
      name: 'dead_letters_total',
      help: 'Messages that could not be handled, by the topic they came from.',
      labels: ['topic'],
    }),
    authFailures: counter(registry, {
      name: 'auth_failures_total',
      help: 'Requests whose credential was not accepted, by why.',
      labels: ['reason'],
    }),
    signals: counter(registry, {
      name: 'signals_total',
      help: 'NOC and GRL events raised, by event type.',
      labels: ['type'],
    }),
  };
}
