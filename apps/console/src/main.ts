import { readEnvironmentOrThrow } from '@latch/config';
import { runService } from '@latch/observability';
import { consoleSettings } from './config.ts';
import { startConsole } from './start.ts';

await runService({
  name: 'console',
  start: (process) => startConsole(readEnvironmentOrThrow(consoleSettings), process),
});
