import { formatProblems, loadPrivacyConfig } from '@latch/config';
import { applyRetention } from '@latch/event-store';
import { type CliSettings } from '../config.ts';
import { withMaintenance } from '../privacy/with-maintenance.ts';
import { systemOptionsFrom } from '../system/system-options.ts';
import { print, progress } from '../terminal.ts';

/** Options of `latch retention apply`. */
export type RetentionOptions = { readonly json?: boolean };

/** `latch retention apply`: lets go of personal data that is older than its tenant keeps it, as `privacy.yaml` says. Ends with 0, or 2 when it could not run. */
export async function retention(settings: CliSettings, options: RetentionOptions): Promise<void> {
  await withMaintenance(settings, options, async (maintenance) => {
    const folder = systemOptionsFrom(settings, progress).configFolder;
    const rules = await loadPrivacyConfig(folder);
    if (!rules.ok)
      throw new Error(
        `${formatProblems(rules.error, folder)}\nNothing was deleted. Correct the file and run it again.`,
      );
    const done = await applyRetention(maintenance, rules.value);
    print(options.json ? JSON.stringify(done) : `${done.keys} data keys destroyed, ${done.rows} rows deleted.`);
    return true;
  });
}
