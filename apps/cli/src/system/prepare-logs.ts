import { mkdirSync, readdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { logFolderOf, type SystemOptions } from './system-options.ts';

/** Makes the log folder; each log of the run before is kept as `<service>.previous.log`, so that a log holds one run. */
export function prepareLogs(options: Pick<SystemOptions, 'stateFolder'>): void {
  const folder = logFolderOf(options);
  mkdirSync(folder, { recursive: true });
  const logs = readdirSync(folder).filter((name) => name.endsWith('.log') && !name.endsWith('.previous.log'));
  for (const name of logs) {
    const file = path.join(folder, name);
    renameSync(file, file.replace(/\.log$/, '.previous.log'));
  }
}
