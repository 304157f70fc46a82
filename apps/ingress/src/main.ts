import { readEnvironmentOrThrow } from '@latch/config';
import { runService } from '@latch/observability';
import { ingressSettings } from './config.ts';
import { startIngress } from './start.ts';

await runService({
  name: 'ingress',
  start: ({ fatal }) => startIngress(readEnvironmentOrThrow(ingressSettings), { fatal }),
});
