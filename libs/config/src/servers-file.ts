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

/** Names only: a value would be a secret in a file. */
const EnvironmentName = z
  .string()
  .regex(
    /^[A-Za-z_][A-Za-z0-9_]*$/,
    'must be the name of an environment variable, such as CRM_TOKEN; its value stays in the environment.',
  )
  .refine(
    (name) => !/^LATCH_|^DATABASE_URL$|^KAFKA_/.test(name),
    'is a setting of Latch itself and is not handed to a server.',
  );

const Server = section({
  description: z.string().optional(),
  url: address.optional(),
  endpoint: address.optional(),
  enabled: z.boolean().default(true),
  command: z.string().min(1).max(1_000).optional(),
  args: z.array(z.string().max(10_000)).max(100).default([]),
  env: z.array(EnvironmentName).max(100).default([]),
  transport: z
    .enum(['streamable_http', 'http', 'fastmcp', 'stdio'], {
      error: 'must be streamable_http (http and fastmcp mean the same) or stdio. Other transports are not spoken.',
    })
    .optional(),
  connect_timeout_ms: z.int().min(1).max(60_000).default(2_000),
  max_concurrent_calls: z.int().min(1).max(10_000).default(16),
  max_result_bytes: z.int().min(1_024).max(67_108_864).default(1_048_576),
  breaker: Breaker.prefault({}),
})
  .superRefine(refuseTwoSpellings(['url', 'endpoint']))
  .superRefine(checkTransport);

type Keys = {
  readonly url?: string;
  readonly endpoint?: string;
  readonly command?: string;
  readonly args: readonly string[];
  readonly env: readonly string[];
  readonly transport?: string;
};

/** A server is an address or a program, never both. */
function checkTransport({ transport, command, args, env, ...keys }: Keys, context: z.RefinementCtx): void {
  const url = keys.url ?? keys.endpoint;
  const refuse = (key: string, message: string): void => context.addIssue({ code: 'custom', path: [key], message });
  const isStdio = transport === 'stdio' || (transport === undefined && command !== undefined);
  if (isStdio && url !== undefined)
    refuse('url', 'has no meaning beside stdio, where the server is the program in command.');
  if (isStdio && command === undefined)
    refuse(
      'command',
      'is missing. Write the program that speaks MCP over its standard input and output, such as node.',
    );
  if (isStdio) return;
  if (url === undefined)
    refuse('url', 'is missing. Write the Streamable HTTP address of the server, such as http://127.0.0.1:9101/mcp.');
  for (const [key, isSet] of Object.entries({
    command: command !== undefined,
    args: args.length > 0,
    env: env.length > 0,
  }))
    if (isSet) refuse(key, 'is for stdio only. Write transport: stdio, and no url.');
}

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
    ...addressOf(keys),
    enabled: keys.enabled,
    connectTimeoutMs: keys.connect_timeout_ms,
    maxConcurrentCalls: keys.max_concurrent_calls,
    maxResultBytes: keys.max_result_bytes,
    breaker: { failures: keys.breaker.failures, openMs: keys.breaker.open_ms },
  };
}

function addressOf({ url, endpoint, command, args, env }: Keys): Pick<McpServerConfig, 'url' | 'process'> {
  if (command === undefined) return { url: url ?? endpoint ?? '' };
  return { url: `stdio:${command}`, process: { command, args, env } };
}

function isHttpAddress(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}

function hasCredentials(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username !== '' || password !== '';
}
