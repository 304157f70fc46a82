import { readEnvironment } from '@latch/config';
import { runService } from '@latch/observability';
import { telecomSettings } from './config.ts';
import { startMcpTelecom } from './start.ts';

await runService({
  name: 'mcp-telecom',
  start: (process) => {
    const settings = readEnvironment(telecomSettings);
    if (!settings.ok) throw new Error(settings.error);
    return startMcpTelecom(settings.value, process);
  },
});
