import { platformVersion } from '@latch/contracts';
import { type DomainServerSettings, serveDomain } from '@latch/mcp-server';
import { type Logger, type RunningService } from '@latch/observability';
import { createDisputeTools } from './dispute-tools.ts';
import { createInvoiceTools } from './invoice-tools.ts';
import { createProductTools } from './product-tools.ts';
import { createProtocolTool } from './protocol-tool.ts';
import { TelecomState } from './telecom-state.ts';
import { createVasTools } from './vas-tools.ts';

/**
 * Starts the sample MCP server of a telecom operator: invoice, additional services and disputes, kept in memory and the same after each start.
 *
 * @throws when the port is taken.
 */
export async function startMcpTelecom(
  settings: DomainServerSettings,
  parts: { readonly logger?: Logger } = {},
): Promise<RunningService> {
  const state = new TelecomState();
  const running = await serveDomain({
    name: 'mcp-telecom',
    version: platformVersion,
    host: settings.LATCH_HTTP_HOST,
    port: settings.LATCH_HTTP_PORT,
    allowedHosts: settings.LATCH_MCP_ALLOWED_HOSTS,
    answerAs: settings.LATCH_MCP_ANSWERS,
    tools: [
      ...createInvoiceTools(state),
      ...createVasTools(state),
      ...createProductTools(state),
      ...createDisputeTools(state),
      createProtocolTool(),
    ],
    reset: () => state.reset(),
  });
  parts.logger?.debug('mcp_telecom.listening', { url: running.url });
  return running;
}
