import { afterEach } from '@jest/globals';
import { readEnvironment } from '@latch/config';
import { connectToDomain, type DomainClient } from '@latch/mcp-server';
import { retailSettings } from './config.ts';
import { startMcpRetail } from './start.ts';

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

/** Starts the server on a free port and connects to it; both end with the test. */
export async function connectToRetail(
  env: Record<string, string> = {},
): Promise<DomainClient & { readonly url: string }> {
  const settings = readEnvironment(retailSettings, { LATCH_HTTP_PORT: '0', ...env });
  if (!settings.ok) throw new Error(settings.error);
  const server = await startMcpRetail(settings.value);
  endings.push(() => server.stop());
  const domain = await connectToDomain(server.url);
  endings.push(() => domain.close());
  return { ...domain, url: server.url };
}
