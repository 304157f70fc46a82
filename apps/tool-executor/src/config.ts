import { commonSettings, databaseSettings, portSetting, serverHeaderSettings, wholeNumberSetting } from '@latch/config';
import { z } from 'zod';

/** Everything that can be set about the tool executor, with its default and unit. */
export const toolExecutorSettings = commonSettings.safeExtend({
  ...databaseSettings.shape,
  ...serverHeaderSettings.shape,
  LATCH_HTTP_PORT: portSetting(9002).describe('Port of /health, /ready, /version and /metrics; default 9002.'),
  LATCH_MAX_RUNNING_CALLS: wholeNumberSetting({ default: 256, min: 1, max: 10_000 }).describe(
    'Tool calls that run at the same time, over all servers; default 256. The limit per server stands in mcp_servers.yaml.',
  ),
  LATCH_MAX_WAITING_CALLS: wholeNumberSetting({ default: 1_000, min: 1, max: 100_000 }).describe(
    'Claimed calls that may wait in memory before no more are taken from the bus; default 1000.',
  ),
  LATCH_LEASE_MS: wholeNumberSetting({ default: 10_000, min: 1_000, max: 600_000 }).describe(
    'How long a claimed call belongs to this instance without a renewal, in milliseconds; default 10000. It renews three times as often; after a crash others take over when it ends.',
  ),
  LATCH_LEASE_SWEEP_MS: wholeNumberSetting({ default: 5_000, min: 50, max: 600_000 }).describe(
    'Time between two looks for calls that a crashed instance left, in milliseconds; default 5000.',
  ),
  LATCH_SCHEMA_FRESH_MS: wholeNumberSetting({ default: 10_000, min: 0, max: 3_600_000 }).describe(
    'How old the listing of a server may be when a tool with an effect is called, in milliseconds; default 10000. An older one is made anew first; 0: before each call.',
  ),
  LATCH_SCHEMA_REFRESH_MS: wholeNumberSetting({ default: 30_000, min: 100, max: 3_600_000 }).describe(
    'Time between two looks at the tools of all servers, in milliseconds; default 30000. Accepted schemas and ended alarms are found by them.',
  ),
  LATCH_DRAIN_MS: wholeNumberSetting({ default: 20_000, min: 0, max: 600_000 }).describe(
    'How long a stop waits for running calls, in milliseconds; default 20000. What is not done by then is taken over by lease.',
  ),
});
export type ToolExecutorSettings = z.infer<typeof toolExecutorSettings>;
