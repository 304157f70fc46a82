import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { holdFileOf } from '../system/plan-services.ts';
import { readRunningState, type RunningServiceEntry } from '../system/running-file.ts';
import { readyPathOf, type ServiceName } from '../system/services.ts';

const patienceMs = 60_000;

/** The running system as a test or the demo handles it, through its state file: by whom it was started does not matter. */
export class SystemControl {
  constructor(private readonly stateFolder: string) {}

  /** Where a service listens. @throws Error when the system does not run. */
  urlOf(name: ServiceName): string {
    return this.entry(name).url;
  }

  /** `kill -9`. The supervisor starts the service again; with `waitUntilReady`, this returns when it can work. */
  async kill(name: ServiceName, { waitUntilReady }: { readonly waitUntilReady: boolean }): Promise<string> {
    const pid = this.entry(name).process?.pid;
    if (pid === undefined) throw new Error(`${name} has no process to kill: it is being restarted.`);
    process.kill(pid, 'SIGKILL');
    await this.until(() => this.entry(name).process?.pid !== pid, `${name} to be gone`);
    if (!waitUntilReady) return `kill -9 ${pid} (${name})`;
    await this.waitUntilReady(name);
    return `kill -9 ${pid} (${name}); it is back as ${this.entry(name).process?.pid ?? 'nobody'}`;
  }

  /** SIGTERM, as an orderly replacement does; returns when the old process is gone. @throws Error when it takes longer than a minute. */
  async terminate(name: ServiceName): Promise<void> {
    const pid = this.pidOf(name);
    if (pid === undefined) throw new Error(`${name} has no process to stop: it is being restarted.`);
    process.kill(pid, 'SIGTERM');
    await this.until(() => this.pidOf(name) !== pid, `${name} to be gone`);
  }

  /** An outage: `kill -9`, and no restart until `release`. */
  async hold(name: ServiceName): Promise<string> {
    const file = this.holdFile(name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, '');
    return `${await this.kill(name, { waitUntilReady: false })}; it stays down`;
  }

  /** Ends an outage and waits until the service can work again. */
  async release(name: ServiceName): Promise<string> {
    rmSync(this.holdFile(name), { force: true });
    await this.waitUntilReady(name);
    return `${name} is up again`;
  }

  /** Returns when the service, and whoever shares its process, says that it can work. @throws Error after a minute. */
  async waitUntilReady(name: ServiceName): Promise<void> {
    const { logFile } = this.entry(name);
    const together = this.entries().filter((entry) => entry.logFile === logFile);
    for (const { name: each } of together) await this.until(() => isReady(this.entry(each)), `${each} to be ready`);
  }

  /** The process of a service now; undefined while it is being restarted. */
  pidOf(name: ServiceName): number | undefined {
    return this.entry(name).process?.pid;
  }

  private holdFile(name: ServiceName): string {
    return holdFileOf(this.stateFolder, path.basename(this.entry(name).logFile, '.log'));
  }

  private entry(name: ServiceName): RunningServiceEntry {
    const entry = this.entries().find((service) => service.name === name);
    if (entry === undefined)
      throw new Error(`${name} does not run: ${this.stateFolder}/running.json does not list it.`);
    return entry;
  }

  private entries(): readonly RunningServiceEntry[] {
    return readRunningState(this.stateFolder)?.services ?? [];
  }

  private async until(check: () => boolean | Promise<boolean>, what: string): Promise<void> {
    const endsAt = Date.now() + patienceMs;
    while (!(await check())) {
      if (Date.now() > endsAt) throw new Error(`Waited ${patienceMs / 1000} s for ${what}.`);
      await sleep(50);
    }
  }
}

async function isReady({ name, url, process }: RunningServiceEntry): Promise<boolean> {
  if (process === null) return false;
  try {
    // No connection is left for a later request, which would fail when the other side closes it just then.
    const once = { headers: { connection: 'close' }, signal: AbortSignal.timeout(2000) };
    return (await fetch(url + readyPathOf(name), once)).ok;
  } catch {
    return false;
  }
}
