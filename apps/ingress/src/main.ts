import { readEnvironment } from '@latch/config';
import { runService } from '@latch/observability';
import { ingressSettings } from './config.ts';
import { startIngress } from './start.ts';

await runService({
  name: 'ingress',
  start: ({ fatal }) => {
    const settings = readEnvironment(ingressSettings);
    if (!settings.ok) throw new Error(settings.error);
    return startIngress(settings.value, { fatal });
  },
});
