import { randomUUID } from 'node:crypto';
import { type PlatformConfig } from '@latch/contracts';
import { type EventStore } from '@latch/event-store';
import { type Bus, emitSignals, type Received, type ReceivedEnvelope } from '@latch/messaging';
import { type HealthState, type Logger, type Metrics } from '@latch/observability';
import { type ToolExecutorSettings } from './config.ts';
import { DatabaseClock } from './database-clock.ts';
import { executeInvocation, type InvocationWork } from './execute-invocation.ts';
import { type Calls, makeCalls } from './make-calls.ts';
import { receiveInvocations } from './receive-invocations.ts';
import { countSignals } from './record-metrics.ts';
import { startRenewingLeases } from './renew-leases.ts';
import { startResumingInvocations } from './resume-invocations.ts';
import { Vitals } from './vitals.ts';
import { startWatchingServers } from './watch-servers.ts';
import { WorkPool } from './work-pool.ts';

/** What an executor works with. */
export type Surroundings = {
  readonly settings: ToolExecutorSettings;
  readonly config: PlatformConfig;
  readonly store: EventStore;
  readonly bus: Bus;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly version: string;
  /** Stops and lets go on the flow of announcements. */
  readonly flow: { pause(): void; resume(): void };
};

/** A wired executor. */
export type Executor = {
  receive(batch: readonly Received[]): Promise<void>;
  /** Begins to take over what crashed instances left, and to keep what it has in hand. */
  start(): void;
  reportHealth(health: HealthState): void;
  /** Starts no more calls, waits for the running ones (bounded), publishes what they came to, and ends the sessions. */
  stop(): Promise<void>;
};

/** Wires the parts of the executor: intake, pool, calls, outcomes, alarms. */
export function makeExecutor(around: Surroundings): Executor {
  const { settings, store, logger, metrics } = around;
  const lease = { owner: `tool-executor-${randomUUID()}`, leaseMs: settings.LATCH_LEASE_MS };
  const clock = new DatabaseClock(store);
  const emit = (signals: readonly ReceivedEnvelope[]): void => {
    countSignals(metrics, signals);
    if (signals.length > 0) void emitSignals(around, signals);
  };
  const calls = makeCalls(around, { clock, emit, lease });
  const pool = makePool(around);
  const enqueue = (work: InvocationWork): void => {
    const { invocationId, conversationKey } = work.approved;
    pool.add({ id: invocationId, lane: conversationKey, run: () => executeInvocation(work, calls.parts) });
  };
  const room = (): number => settings.LATCH_MAX_WAITING_CALLS - pool.load.waiting;
  const vitals = new Vitals(settings.LATCH_LEASE_SWEEP_MS);
  let stopLooking = (): Promise<unknown> => Promise.resolve();
  let stopWatching = (): Promise<unknown> => Promise.resolve();
  return {
    receive: (batch) => receiveInvocations(batch, { store, clock, lease, enqueue, emit, logger }),
    start() {
      const { ledger } = store;
      const onSwept = (): void => vitals.swept();
      const everyMs = settings.LATCH_LEASE_SWEEP_MS;
      const stopResuming = startResumingInvocations({ ledger, clock, lease, enqueue, room, everyMs, onSwept, logger });
      const stopRenewing = startRenewingLeases({ ledger, lease, inHand: () => pool.ids, logger });
      stopWatching = watch(calls, around);
      stopLooking = () => Promise.all([stopResuming(), stopRenewing()]);
    },
    reportHealth(health) {
      health.probe('work', () => vitals.report(pool.load));
      health.probe('mcp_servers', () => serversHealth(calls));
    },
    async stop() {
      vitals.stop();
      await stopLooking();
      const isDone = (await pool.drain(settings.LATCH_DRAIN_MS)) || (await giveUp(calls, pool));
      if (!isDone) logger.warn('executor.drain_incomplete', { running: pool.load.running });
      calls.schemas.close();
      await stopWatching();
      await calls.publisher.close();
      // A call that still runs is not aborted: the process is about to end, and who takes its lease over finds it as it is. Where the process lives on, its
      // sessions end with the last of them.
      if (isDone) await calls.mcp.close();
      else void pool.idle().then(() => calls.mcp.close());
    },
  };
}

function makePool({ settings, flow, logger }: Surroundings): WorkPool {
  return new WorkPool({
    maxRunning: settings.LATCH_MAX_RUNNING_CALLS,
    maxWaiting: settings.LATCH_MAX_WAITING_CALLS,
    onFull: () => flow.pause(),
    onRoom: () => flow.resume(),
    // Nothing is lost: the ledger keeps the call, and the sweep takes it up when its lease has ended.
    onError: (error, id) => logger.error('invocation.failed', { error, invocation_id: id }),
  });
}

function watch({ schemas, alarms }: Pick<Calls, 'schemas' | 'alarms'>, around: Surroundings): () => Promise<void> {
  const { LATCH_SCHEMA_REFRESH_MS: refreshMs, LATCH_LEASE_MS: leaseMs } = around.settings;
  return startWatchingServers({ schemas, alarms, refreshMs, renewMs: leaseMs / 3, logger: around.logger });
}

/** How long the servers of given up reads have to be told. */
const giveUpMs = 200;

function giveUp(calls: Pick<Calls, 'giveUp'>, pool: WorkPool): Promise<boolean> {
  calls.giveUp();
  return pool.drain(giveUpMs);
}

/** A dead server takes away its own tools only, so it is told and does not make the executor unready. */
function serversHealth({ gates, schemas }: Pick<Calls, 'gates' | 'schemas'>): { ok: true; detail?: string } {
  const circuits = gates.troubled.map((server) => `circuit of ${server} not closed`);
  const troubles = [...circuits, ...schemas.troubles];
  return troubles.length === 0 ? { ok: true } : { ok: true, detail: troubles.join('; ') };
}
