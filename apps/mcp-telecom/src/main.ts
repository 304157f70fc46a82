import { readEnvironmentOrThrow } from '@latch/config';
import { runService } from '@latch/observability';
import { telecomSettings } from './config.ts';
import { startMcpTelecom } from './start.ts';

await runService({
  name: 'mcp-telecom',
  start: (process) => startMcpTelecom(readEnvironmentOrThrow(telecomSettings), process),
});
