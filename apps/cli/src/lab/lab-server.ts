import { type McpServerConfig } from '@latch/contracts';

/**
 * The server that a command line names: an address, or `stdio:` and the program with its arguments, separated by spaces (no shell reads them).
 *
 * @returns null when it is neither.
 */
export function labServer(target: string): McpServerConfig | null {
  const limits = {
    ...{ name: 'lab', enabled: true, connectTimeoutMs: 5_000, maxConcurrentCalls: 16, maxResultBytes: 1024 * 1024 },
    breaker: { failures: 5, openMs: 1_000 },
  };
  if (/^https?:\/\/\S+$/.test(target) && URL.canParse(target)) return { ...limits, url: target };
  if (!target.startsWith('stdio:')) return null;
  const [command, ...args] = target.slice('stdio:'.length).trim().split(/\s+/);
  if (command === undefined || command === '') return null;
  return { ...limits, url: `stdio:${command}`, process: { command, args, env: [] } };
}
