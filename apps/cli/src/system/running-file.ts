import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { isStillRunning } from './process-identity.ts';
import { serviceNames } from './services.ts';

const Identity = z.object({ pid: z.number().int().positive(), startedAt: z.string() });

/** What is known about the local system while it starts, runs and stops: `.latch/running.json`. */
const RunningState = z.object({
  status: z.enum(['starting', 'ready', 'stopping']),
  /** The process that started everything and watches over it. */
  supervisor: Identity,
  since: z.string(),
  mode: z.enum(['processes', 'compact']),
  /** Which Kafka and Postgres were taken and why; null until that is settled. */
  bus: z
    .object({ kind: z.enum(['given', 'local', 'docker', 'memory']), where: z.string(), why: z.string() })
    .nullable(),
  database: z.object({ kind: z.enum(['given', 'local']), where: z.string(), why: z.string() }).nullable(),
  services: z.array(
    z.object({
      name: z.enum(serviceNames),
      url: z.string(),
      /** Null while a crashed service waits for its restart. */
      process: Identity.nullable(),
      restarts: z.number().int().nonnegative(),
      logFile: z.string(),
    }),
  ),
});
export type RunningState = z.infer<typeof RunningState>;

/** A service as the state file lists it. */
export type RunningServiceEntry = RunningState['services'][number];

/** What is in the state file; undefined when there is none, or none that can be read. */
export function readRunningState(stateFolder: string): RunningState | undefined {
  try {
    const parsed = RunningState.safeParse(JSON.parse(readFileSync(fileIn(stateFolder), 'utf8')));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** The system that runs in this folder: its supervisor lives. Leftovers of a dead one are not a running system. */
export function findRunningSystem(stateFolder: string): RunningState | undefined {
  const state = readRunningState(stateFolder);
  return state !== undefined && isStillRunning(state.supervisor) ? state : undefined;
}

/**
 * Takes the folder for a system that is about to start: of two at once, one wins.
 *
 * @returns false when the file exists; the caller decides whether its owner lives.
 */
export function claimRunningFile(stateFolder: string, state: RunningState): boolean {
  mkdirSync(stateFolder, { recursive: true });
  try {
    writeFileSync(fileIn(stateFolder), textOf(state), { flag: 'wx', mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

/** Replaces the state in one step, so that a reader never sees half of it. */
export function writeRunningState(stateFolder: string, state: RunningState): void {
  const draft = `${fileIn(stateFolder)}.${state.supervisor.pid}`;
  writeFileSync(draft, textOf(state), { mode: 0o600 });
  renameSync(draft, fileIn(stateFolder));
}

/** Forgets the system: everything of it has stopped. */
export function removeRunningFile(stateFolder: string): void {
  rmSync(fileIn(stateFolder), { force: true });
}

function fileIn(stateFolder: string): string {
  return path.join(stateFolder, 'running.json');
}

function textOf(state: RunningState): string {
  return `${JSON.stringify(state, undefined, 2)}\n`;
}
