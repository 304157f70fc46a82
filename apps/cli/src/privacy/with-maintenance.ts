import { type Maintenance, openMaintenance } from '@latch/event-store';
import { createLogger } from '@latch/observability';
import { type CliSettings } from '../config.ts';
import { personalDataOfOperator } from '../system/data-key.ts';
import { databaseUrlOf } from '../system/database-url-of.ts';
import { systemOptionsFrom } from '../system/system-options.ts';
import { print, progress } from '../terminal.ts';

/**
 * Opens the store with the operator's rights for a command, and closes it afterwards: the database of DATABASE_URL, else the one of the system that runs here.
 * What keeps the command from running is printed, and the exit code is 2.
 */
export async function withMaintenance(
  settings: CliSettings,
  work: (maintenance: Maintenance) => Promise<void>,
): Promise<void> {
  let maintenance: Maintenance | undefined;
  try {
    const { stateFolder } = systemOptionsFrom(settings, progress);
    maintenance = openMaintenance({
      databaseUrl: databaseUrlOf(settings, stateFolder),
      personalData: personalDataOfOperator(stateFolder),
      logger: createLogger({ service: 'latch', level: 'silent' }),
    });
    await work(maintenance);
  } catch (error) {
    print(error instanceof Error ? error.message : String(error));
    process.exitCode = 2;
  } finally {
    await maintenance?.close();
  }
}
