import { readEnvironmentOrThrow } from '@latch/config';
import { runService } from '@latch/observability';
import { evaluatorSettings } from './config.ts';
import { startEvaluator } from './start.ts';

await runService({
  name: 'evaluator',
  start: (process) => startEvaluator(readEnvironmentOrThrow(evaluatorSettings), process),
});
