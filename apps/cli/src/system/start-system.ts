import { assertConfigIsGood } from './assert-config-is-good.ts';
import { assertPortsAreFree } from './assert-ports-are-free.ts';
import { clearLeftovers } from './clear-leftovers.ts';
import { prepareLogs } from './prepare-logs.ts';
import { endOutages, isCompact, type PlannedProcess, planServices } from './plan-services.ts';
import { prepareStorage } from './prepare-storage.ts';
import { identifyProcess } from './process-identity.ts';
import {
  claimRunningFile,
  findRunningSystem,
  removeRunningFile,
  type RunningState,
  writeRunningState,
} from './running-file.ts';
import { type ServiceNews, ServiceProcess } from './service-process.ts';
import { type Parts, startParts } from './start-parts.ts';
import { type SystemOptions } from './system-options.ts';
import { watchParts } from './watch-parts.ts';

/** The local system that this process started and watches over. */
export type RunningSystem = {
  /** What runs now; it changes when a crashed service gets a new process. */
  state(): RunningState;
  /** Stops everything that was started, services first. May be called more than once. */
  stop(): Promise<void>;
};

/** What a start comes to: a system of ours, or the living one that has the folder already. */
export type StartOutcome =
  | { readonly kind: 'started'; readonly system: RunningSystem }
  | { readonly kind: 'already_running'; readonly state: RunningState };

/**
 * Starts the whole system in its state folder: bus, database, migrations, topics, services; returns when a turn can be sent. What a killed predecessor
 * left behind is ended first.
 *
 * @param signal aborted: the start is given up, and what had already been started is stopped.
 * @throws Error with a sentence that says what to do, after stopping what had already been started.
 */
export async function startSystem(options: SystemOptions, signal?: AbortSignal): Promise<StartOutcome> {
  const owner = await takeFolder(options);
  if (owner !== undefined) return { kind: 'already_running', state: owner };
  const system = new System(options);
  const giveUp = (): void => void system.stopServices();
  signal?.addEventListener('abort', giveUp, { once: true });
  try {
    await system.start(signal);
  } catch (error) {
    await system.stop();
    throw signal?.aborted ? signal.reason : error;
  } finally {
    signal?.removeEventListener('abort', giveUp);
  }
  return { kind: 'started', system };
}

/** @returns the state of the living system that has the folder, or undefined when it is ours now. */
async function takeFolder(options: SystemOptions): Promise<RunningState | undefined> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    if (claimRunningFile(options.stateFolder, initialState(options))) return undefined;
    const running = findRunningSystem(options.stateFolder);
    if (running !== undefined) return running;
    const ended = await clearLeftovers(options.stateFolder);
    if (ended.length > 0) options.onProgress(`ended what an earlier start left behind: ${ended.join(', ')}`);
  }
  throw new Error(`Another start is under way in ${options.stateFolder}. Wait for it, then try again.`);
}

function initialState(options: SystemOptions): RunningState {
  const supervisor = identifyProcess(process.pid);
  if (supervisor === undefined) throw new Error('This process cannot be found in the process table.');
  const since = new Date().toISOString();
  return { status: 'starting', supervisor, since, mode: options.mode, bus: null, database: null, services: [] };
}

type Running = { readonly plan: PlannedProcess; readonly process: ServiceProcess };

/** Owns the processes; the state file follows every change. */
class System implements RunningSystem {
  private current: RunningState;
  private readonly stopParts: (() => Promise<unknown>)[] = [];
  private processes: readonly Running[] = [];
  private stopping: Promise<void> | undefined;
  private stopWatching = (): void => undefined;

  constructor(private readonly options: SystemOptions) {
    this.current = initialState(options);
  }

  state(): RunningState {
    return this.current;
  }

  async start(signal: AbortSignal | undefined): Promise<void> {
    const { options } = this;
    await assertConfigIsGood(options);
    await assertPortsAreFree(options);
    prepareLogs(options);
    endOutages(options.stateFolder);
    const parts = await startParts(options, (stop) => this.stopParts.push(stop));
    this.update({
      bus: parts.bus,
      database: parts.database,
      mode: isCompact(options, parts) ? 'compact' : 'processes',
    });
    signal?.throwIfAborted();
    await prepareStorage(options, parts);
    signal?.throwIfAborted();
    await this.startServices(parts);
    this.stopWatching = watchParts(options, parts);
    this.update({ status: 'ready' });
  }

  stop(): Promise<void> {
    this.stopping ??= this.stopAll();
    return this.stopping;
  }

  /** One after the other, in the order of the plan: ingress goes first, so that nobody is asked who is gone. */
  async stopServices(): Promise<void> {
    for (const { process } of this.processes) await process.stop();
  }

  private async startServices(parts: Parts): Promise<void> {
    this.options.onProgress('starting the services');
    this.processes = planServices(this.options, parts).map((plan) => ({
      plan,
      process: new ServiceProcess(plan.spec, (news) => this.onNews(plan.spec.name, news)),
    }));
    const starting = this.processes.map(({ process }) => process.start());
    this.update({});
    await Promise.all(starting);
  }

  private onNews(name: string, news: ServiceNews): void {
    this.update({});
    if (news.kind === 'ready') this.options.onProgress(`${name} is back`);
    if (news.kind !== 'crashed') return;
    this.options.onProgress(`${name} ended unasked (${news.how}); it is started again in ${news.restartInMs / 1000} s`);
  }

  private async stopAll(): Promise<void> {
    this.stopWatching();
    this.update({ status: 'stopping' });
    await this.stopServices();
    await Promise.all(this.stopParts.map((stop) => stop()));
    removeRunningFile(this.options.stateFolder);
  }

  private update(change: Partial<RunningState>): void {
    const services = this.processes.flatMap(({ plan, process }) =>
      plan.services.map(({ name, url }) => ({
        name,
        url,
        process: process.identity,
        restarts: process.restarts,
        logFile: plan.spec.logFile,
      })),
    );
    this.current = { ...this.current, ...change, services };
    writeRunningState(this.options.stateFolder, this.current);
  }
}
