import { readEnvironment } from '@latch/config';
import { runService } from '@latch/observability';
import { consoleSettings } from './config.ts';
import { startConsole } from './start.ts';

await runService({
  name: 'console',
  start: (process) => {
    const settings = readEnvironment(consoleSettings);
    if (!settings.ok) throw new Error(settings.error);
    return startConsole(settings.value, process);
  },
});
