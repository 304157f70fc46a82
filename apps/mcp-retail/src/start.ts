import { platformVersion } from '@latch/contracts';
import { type DomainServerSettings, reconcileTool, serveDomain } from '@latch/mcp-server';
import { type Logger, type RunningService } from '@latch/observability';
import { createCancellationTools } from './cancellation-tools.ts';
import { createOrderTools } from './order-tools.ts';
import { OrderBook } from './order-book.ts';
import { createReturnTools } from './return-tools.ts';

/**
 * Starts the sample MCP server of an online shop: orders, tracking, cancellation and returns, kept in memory and the same after each start.
 *
 * @throws when the port is taken.
 */
export async function startMcpRetail(
  settings: DomainServerSettings,
  parts: { readonly logger?: Logger } = {},
): Promise<RunningService> {
  const orders = new OrderBook();
  const running = await serveDomain({
    name: 'mcp-retail',
    version: platformVersion,
    host: settings.LATCH_HTTP_HOST,
    port: settings.LATCH_HTTP_PORT,
    allowedHosts: settings.LATCH_MCP_ALLOWED_HOSTS,
    answerAs: settings.LATCH_MCP_ANSWERS,
    tools: [
      ...createOrderTools(orders),
      ...createCancellationTools(orders),
      ...createReturnTools(orders),
      reconcileTool({
        name: 'consultar_operacao',
        title: 'Consultar operação',
        description: 'Diz o que foi feito de uma operação, pela chave de idempotência. Sem efeito.',
      }),
    ],
    reset: () => orders.reset(),
  });
  parts.logger?.debug('mcp_retail.listening', { url: running.url });
  return running;
}
