import { serverEnvironments, serverHeaders } from '@latch/config';
import { type Lease } from '@latch/event-store';
import { McpClientPool } from '@latch/mcp';
import { type ReceivedEnvelope } from '@latch/messaging';
import { Alarms } from './alarms.ts';
import { type DatabaseClock } from './database-clock.ts';
import { type ExecutorParts } from './execute-invocation.ts';
import { type Surroundings } from './make-executor.ts';
import { OutcomePublisher } from './outcome-publisher.ts';
import { countSignals, createExecutionMetrics } from './record-metrics.ts';
import { progressForwarder } from './progress.ts';
import { ResultCache } from './result-cache.ts';
import { schemaSignals } from './schema-signals.ts';
import { ServerGates } from './server-gates.ts';
import { createSettleOutcome, type SettleParts } from './settle-outcome.ts';
import { type Listing, ToolSchemas } from './tool-schemas.ts';
import { lookInto } from './watch-servers.ts';

/** What makes the calls, and what watches the servers that they go to. */
export type Calls = {
  readonly parts: ExecutorParts;
  readonly gates: ServerGates;
  readonly schemas: ToolSchemas;
  readonly alarms: Alarms;
  readonly publisher: OutcomePublisher;
  readonly mcp: McpClientPool;
  /** Gives up the reads that still run; the server is told. */
  giveUp(): void;
};

/** What this running executor brings. */
export type CallContext = {
  readonly clock: DatabaseClock;
  readonly emit: (signals: readonly ReceivedEnvelope[]) => void;
  readonly lease: Lease;
};

/** Wires everything between an approved call and its outcome. */
export function makeCalls(around: Surroundings, context: CallContext): Calls {
  const { config, store, bus, logger } = around;
  const { clock, emit, lease } = context;
  const now = (): string => clock.now();
  const alarms = new Alarms({
    ...{ store: store.alarms, lease, now, emit, logger },
    lookInto: (alarm) => lookInto(alarm, { config, schemas, alarms }),
  });
  const gates = makeGates(around, alarms);
  const mcp = makeClient(around, (server) => {
    schemas.forget(server);
    void schemas.refreshOne(server);
  });
  const schemas = new ToolSchemas({
    ...{ config, mcp, catalogue: store.catalogue, logger },
    freshMs: around.settings.LATCH_SCHEMA_FRESH_MS,
    onListed: (listing) => onListed(listing, { around, context, alarms }),
  });
  const publisher = new OutcomePublisher({ bus, outbox: store.outbox, logger });
  const onRecorded = recorder(around, alarms);
  const settle = createSettleOutcome({ ledger: store.ledger, publisher, clock, logger, onRecorded });
  const stopping = new AbortController();
  const parts = {
    ...{ config, ledger: store.ledger, mcp, schemas, cache: new ResultCache(), gates, clock, settle, logger },
    onProgress: progressForwarder({ emit, now }),
    stopping: stopping.signal,
    owner: lease.owner,
    random: Math.random,
  };
  return { parts, gates, schemas, alarms, publisher, mcp, giveUp: () => stopping.abort() };
}

function makeGates({ metrics, logger }: Surroundings, alarms: Alarms): ServerGates {
  const circuits = { closed: 0, half_open: 1, open: 2 } as const;
  return new ServerGates((server, state) => {
    metrics.circuitState.set({ server }, circuits[state]);
    logger.warn('server.circuit_changed', { server, state });
    alarms.circuitChanged(server, state);
  });
}

function makeClient(
  { config, version, settings, logger }: Surroundings,
  onToolsChanged: (server: string) => void,
): McpClientPool {
  const environments = serverEnvironments(config.servers);
  if (!environments.ok) throw new Error(environments.error);
  return new McpClientPool({
    servers: config.servers,
    clientName: 'latch-tool-executor',
    clientVersion: version,
    headers: serverHeaders(settings),
    environments: environments.value,
    onToolsChanged,
    onServerLog: (server, line) => logger.info('mcp_server.said', { server, line }),
  });
}

type Told = { readonly around: Surroundings; readonly context: CallContext; readonly alarms: Alarms };

/** A listing was answered, so the server is there; what it lists may have to wait for an operator. */
function onListed(listing: Listing, { around, context, alarms }: Told): void {
  const { server, pending, settled } = listing;
  alarms.answered(server);
  for (const { tool, ...hashes } of pending) {
    alarms.schemaPending(server, tool, { observed_hash: hashes.observedHash, accepted_hash: hashes.acceptedHash });
  }
  for (const tool of settled) alarms.schemaSettled(server, tool);
  around.metrics.toolSchemasPending.set({ server }, pending.length);
  context.emit(schemaSignals(listing, context.clock.now()));
}

function recorder({ metrics }: Surroundings, alarms: Alarms): SettleParts['onRecorded'] {
  const count = createExecutionMetrics(metrics);
  return (execution, signals) => {
    count(execution);
    countSignals(metrics, signals);
    const { server, outcome, invocation } = execution;
    if (server === undefined) return;
    if (outcome.kind === 'timeout')
      alarms.timedOut(server, { tool_name: invocation.tool_name, timeout_ms: outcome.timeout_ms });
    else if (outcome.kind === 'result') alarms.answered(server);
  };
}
