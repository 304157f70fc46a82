import { listSetting, portSetting, serverSettings } from '@latch/config';
import { z } from 'zod';

const settings = serverSettings.extend({
  LATCH_HTTP_PORT: portSetting(0),
  LATCH_MCP_ANSWERS: z
    .enum(['json', 'stream'], { error: 'it must be json or stream.' })
    .default('json')
    .describe('How tool calls are answered: one JSON body, or an SSE stream; default json.'),
  LATCH_MCP_ALLOWED_HOSTS: listSetting().describe(
    'Host names, beside the loopback names, under which the server may be called; default none.',
  ),
});

/**
 * Everything that can be set about a domain server.
 *
 * @param port on which it listens by default.
 */
export function domainServerSettings(port: number): typeof settings {
  const meaning = `Port of /mcp, /health, /calls, /faults and /reset; default ${String(port)}.`;
  return settings.extend({ LATCH_HTTP_PORT: portSetting(port).describe(meaning) });
}

/** The settings of a domain server, read. */
export type DomainServerSettings = z.infer<typeof settings>;
