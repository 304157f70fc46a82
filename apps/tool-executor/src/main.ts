import { readEnvironmentOrThrow } from '@latch/config';
import { runService } from '@latch/observability';
import { toolExecutorSettings } from './config.ts';
import { startToolExecutor } from './start.ts';

await runService({
  name: 'tool-executor',
  start: (process) => startToolExecutor(readEnvironmentOrThrow(toolExecutorSettings), process),
});
