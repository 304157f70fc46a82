import { z } from 'zod';

type HeaderMap = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Set by Latch and by HTTP itself for each request. */
const reserved: readonly string[] = [
  ...[
    'host',
    'content-length',
    'content-type',
    'accept',
    'connection',
    'transfer-encoding',
    'upgrade',
    'te',
    'trailer',
  ],
  ...['mcp-session-id', 'mcp-protocol-version', 'last-event-id', 'idempotency-key'],
];

/** Server name -> bearer token; a secret, so its text is never part of a problem. */
const tokens = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  )
  .refine(
    (entries) => entries.every((entry) => /^[\w.-]+=\S+$/.test(entry)),
    'it must be a list such as contas=TOKEN,retail=TOKEN.',
  )
  .transform((entries): Readonly<Record<string, string>> =>
    Object.fromEntries(
      entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
    ),
  )
  .default({});

const header = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/)
  .refine((name) => !reserved.includes(name.toLowerCase()));
const headerMap = z.record(z.string(), z.record(header, z.string().regex(/^[\t\x20-\x7e]{0,8192}$/)));
const shape =
  'it must be JSON such as {"contas":{"x-api-key":"KEY"}}, with header names that Latch does not set itself.';

const headers = z
  .string()
  .transform((text, context): HeaderMap => {
    const parsed = headerMap.safeParse(parseJson(text));
    if (parsed.success) return parsed.data;
    context.addIssue({ code: 'custom', message: shape });
    return z.NEVER;
  })
  .default({});

/** The secrets that MCP servers are shown, from the environment only: they are never in a configuration file, and no caller's credential is among them. */
export const serverHeaderSettings = z.object({
  LATCH_MCP_TOKENS: tokens.describe(
    'Bearer tokens of MCP servers, as server=TOKEN separated by commas. From a secret store; never in configuration files.',
  ),
  LATCH_MCP_HEADERS: headers.describe(
    'Further headers of MCP servers, as JSON: {"server":{"header":"value"}}. From a secret store; never in configuration files.',
  ),
});

/** The headers of every request to each server. A bearer token wins over an `authorization` header of the same server. */
export function serverHeaders(settings: z.output<typeof serverHeaderSettings>): HeaderMap {
  const { LATCH_MCP_TOKENS: bearer, LATCH_MCP_HEADERS: further } = settings;
  const servers = new Set([...Object.keys(further), ...Object.keys(bearer)]);
  return Object.fromEntries([...servers].map((server) => [server, headersOf(further[server] ?? {}, bearer[server])]));
}

function headersOf(further: Readonly<Record<string, string>>, token: string | undefined): Record<string, string> {
  const named = Object.fromEntries(Object.entries(further).map(([name, value]) => [name.toLowerCase(), value]));
  return token === undefined ? named : { ...named, authorization: `Bearer ${token}` };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
