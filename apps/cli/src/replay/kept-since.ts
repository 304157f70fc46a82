import { formatProblems, loadPrivacyConfig } from '@latch/config';
import { firstKeptMonth } from '@latch/event-store';
import { type CliSettings } from '../config.ts';
import { systemOptionsFrom } from '../system/system-options.ts';
import { progress } from '../terminal.ts';

/**
 * The instant before which retention lets go of what stands beside the events, for each tenant, as `privacy.yaml` says; null: it never does.
 *
 * @param now UTC.
 * @throws Error when the file has mistakes.
 */
export async function keptSinceOf(settings: CliSettings, now: string): Promise<(tenantId: string) => string | null> {
  const folder = systemOptionsFrom(settings, progress).configFolder;
  const rules = await loadPrivacyConfig(folder);
  if (!rules.ok) throw new Error(formatProblems(rules.error, folder));
  const { defaultDays, tenants } = rules.value;
  return (tenantId) => {
    const named = tenants[tenantId];
    const days = named === undefined ? defaultDays : named;
    return days === null ? null : `${firstKeptMonth(now, days)}-01T00:00:00.000Z`;
  };
}
