import { type ToolResult } from '@latch/contracts';
import { openHttpServer } from '@latch/http';
import { BatchServer, type ServiceParts, startService } from '@latch/messaging';
import { type Metrics, type RunningService } from '@latch/observability';
import { type ResultNormalizerSettings } from './config.ts';
import { resultNormalizerModule } from './result-normalizer.module.ts';

/**
 * Starts the normalizer: one consumer and the operations endpoints.
 *
 * @throws RetryableError when the bus does not answer, Error when the port is taken.
 */
export function startResultNormalizer(
  settings: ResultNormalizerSettings,
  parts: ServiceParts = {},
): Promise<RunningService> {
  return startService({ service: 'result-normalizer', settings, parts }, async (ground) => {
    const { service, bus, logger, metrics, operations, fatal } = ground;
    const normalizer = { bus, onResult: (result: ToolResult) => countItems(metrics, result) };
    const server = await openHttpServer({
      settings,
      logger,
      operations,
      module: (drainable) => resultNormalizerModule(normalizer, drainable),
      strategy: new BatchServer({ bus, service, logger, metrics, onCrash: fatal }),
    });
    return { server };
  });
}

function countItems({ items }: Pick<Metrics, 'items'>, result: ToolResult): void {
  for (const { outcome } of result.items ?? []) items.inc({ tool: result.tool_name, result: outcome });
}
