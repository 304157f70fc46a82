import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastLines, stopProcess } from '../../../../deploy/local/processes.mjs';
import { identifyProcess, type ProcessIdentity } from './process-identity.ts';
import { whyItEnded } from './why-it-ended.ts';

/** How to run one process. */
export type ServiceSpec = {
  readonly name: string;
  /** All of them must answer with 200 before it counts as ready. */
  readonly readyUrls: readonly string[];
  /** Arguments of `node`. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** While this file exists, a service that ended stays down: an outage on purpose. */
  readonly holdFile: string;
};

/** What becomes of a process after its first good start. */
export type ServiceNews =
  | { readonly kind: 'crashed'; readonly how: string; readonly restartInMs: number }
  | { readonly kind: 'spawned' }
  | { readonly kind: 'ready' };

const readyTimeoutMs = 60_000;
const stopGraceMs = 30_000; // more than the drain that a service allows itself
const steadyAfterMs = 30_000;

/**
 * One service as a process of its own, in its own session, so that a Ctrl-C in the terminal reaches the supervisor only, which stops things in order. After
 * a first good start it is started again whenever it ends unasked, at first after half a second, then ever later, at most 10 s.
 */
export class ServiceProcess {
  private child: ChildProcess | undefined;
  private isStopping = false;
  private quickCrashes = 0;
  private restartCount = 0;
  private readonly stopSignal = new AbortController();

  constructor(
    private readonly spec: ServiceSpec,
    private readonly tell: (news: ServiceNews) => void,
  ) {}

  /** The running process; null while a restart is due. */
  get identity(): ProcessIdentity | null {
    const pid = this.child?.pid;
    return pid === undefined ? null : (identifyProcess(pid) ?? null);
  }

  /** How often it has been started again. */
  get restarts(): number {
    return this.restartCount;
  }

  /**
   * Starts it and waits until it can work.
   *
   * @throws Error with what its log says when it ends before that, or is not ready within a minute.
   */
  async start(): Promise<void> {
    const child = this.spawn();
    const reason = await this.waitUntilReady(child);
    if (reason !== undefined) {
      await this.stop();
      throw new Error(
        `${this.spec.name} ${reason}. Its log is ${this.spec.logFile}:\n${whyItEnded(lastLines(this.spec.logFile))}`,
      );
    }
    this.restartWhenItEnds(child, Date.now());
  }

  /** Stops it: SIGTERM, time to drain, then SIGKILL. No restart follows. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.stopSignal.abort();
    if (this.child?.pid !== undefined) await stopProcess(this.child.pid, { graceMs: stopGraceMs });
  }

  private spawn(): ChildProcess {
    const log = openSync(this.spec.logFile, 'a');
    const child = spawn(process.execPath, ['--enable-source-maps', ...this.spec.args], {
      env: this.spec.environment,
      stdio: ['ignore', log, log],
      detached: true,
    });
    closeSync(log);
    child.once('error', () => undefined); // it never got a pid; `waitUntilReady` sees that
    this.child = child;
    return child;
  }

  /** @returns undefined when it is ready, else what went wrong. */
  private async waitUntilReady(child: ChildProcess): Promise<string | undefined> {
    const endsAt = Date.now() + readyTimeoutMs;
    let lastAnswer = 'no answer';
    while (Date.now() < endsAt && !this.isStopping) {
      if (hasEnded(child)) return `ended at its start (${howItEnded(child)})`;
      const answers = await Promise.all(this.spec.readyUrls.map(askReady));
      const notReady = answers.find((answer) => answer !== undefined);
      if (notReady === undefined) return undefined;
      lastAnswer = notReady;
      await sleep(100);
    }
    return this.isStopping
      ? 'was stopped during its start'
      : `is not ready after ${readyTimeoutMs / 1000} s (${lastAnswer})`;
  }

  private restartWhenItEnds(child: ChildProcess, readyAtMs: number): void {
    child.once('exit', () => void this.restart(child, readyAtMs));
    if (hasEnded(child)) void this.restart(child, readyAtMs);
  }

  private async restart(child: ChildProcess, readyAtMs: number): Promise<void> {
    if (this.isStopping || this.child !== child) return;
    this.child = undefined;
    if (Date.now() - readyAtMs > steadyAfterMs) this.quickCrashes = 0;
    const delayMs = backoffMs(this.quickCrashes);
    this.quickCrashes += 1;
    this.restartCount += 1;
    this.tell({ kind: 'crashed', how: howItEnded(child), restartInMs: delayMs });
    do await sleep(delayMs, undefined, { signal: this.stopSignal.signal }).catch(() => undefined);
    while (!this.isStopping && existsSync(this.spec.holdFile));
    if (this.isStopping) return;
    const next = this.spawn();
    this.tell({ kind: 'spawned' });
    const problem = await this.waitUntilReady(next);
    if (problem === undefined) this.tell({ kind: 'ready' });
    this.restartWhenItEnds(next, Date.now());
  }
}

/** Half a second after the first crash, twice as long after each further one, at most 10 s. */
export function backoffMs(crashesBefore: number): number {
  return Math.min(500 * 2 ** Math.min(crashesBefore, 10), 10_000);
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

function howItEnded(child: ChildProcess): string {
  if (child.signalCode !== null) return `killed by ${child.signalCode}`;
  return child.exitCode === null ? 'it could not be run' : `exit code ${child.exitCode}`;
}

/** @returns undefined when it says that it can work, else what it says. */
async function askReady(url: string): Promise<string | undefined> {
  try {
    // A connection that is kept open would be taken for the next request to this address, maybe just as the other side closes it.
    const response = await fetch(url, { headers: { connection: 'close' }, signal: AbortSignal.timeout(2000) });
    const body = await response.text();
    return response.ok ? undefined : `HTTP ${response.status}: ${body.slice(0, 300)}`;
  } catch {
    return 'no answer';
  }
}
