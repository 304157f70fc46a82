import { readEnvironment } from '@latch/config';
import { runService } from '@latch/observability';
import { orchestratorSettings } from './config.ts';
import { startOrchestrator } from './start.ts';

await runService({
  name: 'orchestrator',
  start: (process) => {
    const settings = readEnvironment(orchestratorSettings);
    if (!settings.ok) throw new Error(settings.error);
    return startOrchestrator(settings.value, process);
  },
});
