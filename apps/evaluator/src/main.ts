import { readEnvironment } from '@latch/config';
import { runService } from '@latch/observability';
import { evaluatorSettings } from './config.ts';
import { startEvaluator } from './start.ts';

await runService({
  name: 'evaluator',
  start: (process) => {
    const settings = readEnvironment(evaluatorSettings);
    if (!settings.ok) throw new Error(settings.error);
    return startEvaluator(settings.value, process);
  },
});
