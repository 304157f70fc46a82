import { type McpServerConfig } from '@latch/contracts';
import { z } from 'zod';
import { Name, type Parsed, parseSection, section } from './parse-section.ts';
import { refuseTwoSpellings } from './policy-keys.ts';
import { type YamlFile } from './yaml-file.ts';

/** `mcp_servers.yaml`: server name -> server. */
export type ServersFile = Readonly<Record<string, McpServerConfig>>;

/** Reads `mcp_servers.yaml`. The root key may be `servers` or `mcp_servers`, the address `url` or `endpoint`. */
export function readServersFile(file: YamlFile): Parsed<ServersFile> {
  return parseSection(file, ServersSchema);
}

const address = z
  .string()
  .refine(isHttpAddress, 'must be an http:// or https:// address such as http://127.0.0.1:9101/mcp.')
  .refine(
    (text) => !hasCredentials(text),
    'must hold no user or password. Secrets come from the environment of the tool executor.',
  );

const Breaker = section({
  failures: z.int().min(1).max(1_000).default(5),
  open_ms: z.int().min(1).max(3_600_000).default(10_000),
});

const Server = section({
  description: z.string().optional(),
  url: address.optional(),
  endpoint: address.optional(),
  enabled: z.boolean().default(true),
  transport: z
    .enum(['streamable_http', 'http', 'fastmcp'], {
      error: 'must be streamable_http (http and fastmcp mean the same). Other transports are not spoken.',
    })
    .default('streamable_http'),
  connect_timeout_ms: z.int().min(1).max(60_000).default(2_000),
  max_concurrent_calls: z.int().min(1).max(10_000).default(16),
  max_result_bytes: z.int().min(1_024).max(67_108_864).default(1_048_576),
  breaker: Breaker.prefault({}),
})
  .superRefine(refuseTwoSpellings(['url', 'endpoint']))
  .refine((keys) => (keys.url ?? keys.endpoint) !== undefined, {
    path: ['url'],
    error: 'is missing. Write the Streamable HTTP address of the server, such as http://127.0.0.1:9101/mcp.',
  });

const ServerMap = z.record(Name, Server);

const ServersSchema = section({
  version: z.unknown().optional(),
  servers: ServerMap.optional(),
  mcp_servers: ServerMap.optional(),
}).transform(({ servers, mcp_servers }): ServersFile => {
  const named = Object.entries({ ...mcp_servers, ...servers });
  return Object.fromEntries(named.map(([name, keys]) => [name, toServer(name, keys)]));
});

function toServer(name: string, keys: z.output<typeof Server>): McpServerConfig {
  return {
    name,
    url: keys.url ?? keys.endpoint ?? '',
    enabled: keys.enabled,
    connectTimeoutMs: keys.connect_timeout_ms,
    maxConcurrentCalls: keys.max_concurrent_calls,
    maxResultBytes: keys.max_result_bytes,
    breaker: { failures: keys.breaker.failures, openMs: keys.breaker.open_ms },
  };
}

function isHttpAddress(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}

function hasCredentials(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username !== '' || password !== '';
}
