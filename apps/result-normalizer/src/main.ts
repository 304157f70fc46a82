import { readEnvironment } from '@latch/config';
import { runService } from '@latch/observability';
import { resultNormalizerSettings } from './config.ts';
import { startResultNormalizer } from './start.ts';

await runService({
  name: 'result-normalizer',
  start: (process) => {
    const settings = readEnvironment(resultNormalizerSettings);
    if (!settings.ok) throw new Error(settings.error);
    return startResultNormalizer(settings.value, process);
  },
});
