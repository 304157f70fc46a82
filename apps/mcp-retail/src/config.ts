import { listSetting, portSetting, serverSettings } from '@latch/config';
import { z } from 'zod';

/** Everything that can be set about the sample retail server. */
export const retailSettings = serverSettings.extend({
  LATCH_HTTP_PORT: portSetting(9102).describe('Port of /mcp, /health, /calls, /faults and /reset; default 9102.'),
  LATCH_MCP_ANSWERS: z
    .enum(['json', 'stream'], { error: 'it must be json or stream.' })
    .default('json')
    .describe('How tool calls are answered: one JSON body, or an SSE stream; default json.'),
  LATCH_MCP_ALLOWED_HOSTS: listSetting().describe(
    'Host names, beside the loopback names, under which the server may be called; default none.',
  ),
});
export type RetailSettings = z.infer<typeof retailSettings>;
