import { readEnvironmentOrThrow } from '@latch/config';
import { runService } from '@latch/observability';
import { resultNormalizerSettings } from './config.ts';
import { startResultNormalizer } from './start.ts';

await runService({
  name: 'result-normalizer',
  start: (process) => startResultNormalizer(readEnvironmentOrThrow(resultNormalizerSettings), process),
});
