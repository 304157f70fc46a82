import { type Maintenance, openMaintenance } from '@latch/event-store';
import { createLogger } from '@latch/observability';
import { type CliSettings } from '../config.ts';
import { personalDataOfOperator } from '../system/data-key.ts';
import { databaseUrlOf } from '../system/database-url-of.ts';
import { systemOptionsFrom } from '../system/system-options.ts';
import { runCommand } from '../run-command.ts';
import { progress } from '../terminal.ts';

/**
 * Runs a command with the store opened under the operator's rights, and closes it afterwards: the database of DATABASE_URL, else the one of the system that runs here.
 *
 * @param work whether all was done.
 */
export async function withMaintenance(
  settings: CliSettings,
  options: { readonly json?: boolean },
  work: (maintenance: Maintenance) => Promise<boolean>,
): Promise<void> {
  await runCommand(options, async () => {
    const { stateFolder } = systemOptionsFrom(settings, progress);
    const maintenance = openMaintenance({
      databaseUrl: databaseUrlOf(settings, stateFolder),
      personalData: personalDataOfOperator(stateFolder),
      logger: createLogger({ service: 'latch', level: 'silent' }),
    });
    try {
      return await work(maintenance);
    } finally {
      await maintenance.close();
    }
  });
}
