import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { isAlive } from '../../../../deploy/local/processes.mjs';

/** One process for ever: a pid is given out again, a pid with its start time is not. */
export type ProcessIdentity = { readonly pid: number; readonly startedAt: string };

/** The identity of a running process; undefined when none has that pid. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const startedAt = isAlive(pid) ? startTimeOf(pid) : undefined;
  return startedAt === undefined ? undefined : { pid, startedAt };
}

/** Whether exactly this process still runs; somebody else under the same pid is not it. */
export function isStillRunning(process: ProcessIdentity): boolean {
  return identifyProcess(process.pid)?.startedAt === process.startedAt;
}

/** On Linux the start in clock ticks since boot, with the boot's id so that it means something after a restart; elsewhere what `ps` says. */
function startTimeOf(pid: number): string | undefined {
  try {
    if (!existsSync('/proc/self/stat')) {
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    }
    const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? '';
    return `${bootId()}/${afterName.split(' ')[19] ?? ''}`;
  } catch {
    return undefined;
  }
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim().slice(0, 8);
  } catch {
    return '';
  }
}
