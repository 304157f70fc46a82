import { readEnvironment } from '@latch/config';
import { runService } from '@latch/observability';
import { retailSettings } from './config.ts';
import { startMcpRetail } from './start.ts';

await runService({
  name: 'mcp-retail',
  start: (process) => {
    const settings = readEnvironment(retailSettings);
    if (!settings.ok) throw new Error(settings.error);
    return startMcpRetail(settings.value, process);
  },
});
