import { type PlatformConfig } from '@latch/contracts';
import { type OpenAlarm } from '@latch/event-store';
import { type Logger, repeat } from '@latch/observability';
import { type Alarms, serverOf } from './alarms.ts';
import { type ToolSchemas } from './tool-schemas.ts';

/** What watching takes. */
export type WatchParts = {
  readonly schemas: Pick<ToolSchemas, 'refresh'>;
  readonly alarms: Pick<Alarms, 'renew' | 'settled'>;
  readonly refreshMs: number;
  readonly renewMs: number;
  readonly logger: Logger;
};

/**
 * Looks at all servers at the start and now and then, and keeps the open alarms: so an accepted schema, a server that is back, and the alarms of an executor that
 * is gone are found without a call.
 *
 * @returns a function that stops it and waits for what is running.
 */
export function startWatchingServers(parts: WatchParts): () => Promise<void> {
  const { schemas, alarms, refreshMs, renewMs, logger } = parts;
  const onError = (error: unknown): void => logger.warn('servers.not_watched', { error });
  const stopRefreshing = repeat({ round: () => schemas.refresh(), everyMs: refreshMs, onError });
  const stopRenewing = repeat({ round: () => alarms.renew(), everyMs: renewMs, onError });
  return async () => {
    await Promise.all([stopRefreshing(), stopRenewing()]);
    await alarms.settled();
  };
}

/** What becomes of an alarm that was taken over: its server is asked, unless nobody configures that any more. */
export function lookInto(
  alarm: OpenAlarm,
  parts: {
    readonly config: Pick<PlatformConfig, 'servers'>;
    readonly schemas: Pick<ToolSchemas, 'refreshOne' | 'watches'>;
    readonly alarms: Pick<Alarms, 'withdraw'>;
  },
): void {
  const { config, schemas, alarms } = parts;
  const server = serverOf(alarm);
  const tool = alarm.facts['tool_name'];
  const isOurs =
    config.servers[server]?.enabled === true &&
    schemas.watches(server, alarm.condition === 'NOC.TOOL_SCHEMA_CHANGED' ? tool : undefined);
  if (isOurs) void schemas.refreshOne(server);
  else alarms.withdraw(alarm);
}
