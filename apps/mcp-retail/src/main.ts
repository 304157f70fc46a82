import { readEnvironmentOrThrow } from '@latch/config';
import { runService } from '@latch/observability';
import { retailSettings } from './config.ts';
import { startMcpRetail } from './start.ts';

await runService({
  name: 'mcp-retail',
  start: (process) => startMcpRetail(readEnvironmentOrThrow(retailSettings), process),
});
