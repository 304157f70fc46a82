import { rewrapKeys } from '@latch/event-store';
import { type CliSettings } from '../config.ts';
import { withMaintenance } from '../privacy/with-maintenance.ts';
import { personalDataOfOperator } from '../system/data-key.ts';
import { systemOptionsFrom } from '../system/system-options.ts';
import { print, progress } from '../terminal.ts';

/** Options of `latch keys rewrap`. */
export type RewrapOptions = { readonly json?: boolean };

/**
 * `latch keys rewrap`: wraps every data key with the first key of LATCH_DATA_KEY, while the system runs; after it the others can be taken out. Ends with 0, or 2
 * when it could not run.
 */
export async function rewrapKeysOfStore(settings: CliSettings, options: RewrapOptions): Promise<void> {
  await withMaintenance(settings, options, async (maintenance) => {
    const ring = personalDataOfOperator(systemOptionsFrom(settings, progress).stateFolder);
    if (ring === 'clear')
      throw new Error('Personal data is kept in the clear here (LATCH_PERSONAL_DATA=clear): there are no data keys.');
    const rewrapped = await rewrapKeys(maintenance, ring);
    print(
      options.json
        ? JSON.stringify({ rewrapped, current: ring.current })
        : `${rewrapped} data keys wrapped with key ${ring.current}.`,
    );
    return true;
  });
}
