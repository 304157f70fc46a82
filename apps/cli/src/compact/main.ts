import { runService } from '@latch/observability';
import { startPlatform } from './start-platform.ts';

await runService({ name: 'platform', start: startPlatform });
