import { readEnvironmentOrThrow } from '@latch/config';
import { runService } from '@latch/observability';
import { orchestratorSettings } from './config.ts';
import { startOrchestrator } from './start.ts';

await runService({
  name: 'orchestrator',
  start: (process) => startOrchestrator(readEnvironmentOrThrow(orchestratorSettings), process),
});
