import { readEnvironment } from '@latch/config';
import { runService } from '@latch/observability';
import { toolExecutorSettings } from './config.ts';
import { startToolExecutor } from './start.ts';

await runService({
  name: 'tool-executor',
  start: (process) => {
    const settings = readEnvironment(toolExecutorSettings);
    if (!settings.ok) throw new Error(settings.error);
    return startToolExecutor(settings.value, process);
  },
});
