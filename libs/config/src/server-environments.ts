import { failure, type McpServerConfig, type Result, success } from '@latch/contracts';

/** All that the process of an MCP server gets to see of the environment. */
export type ServerEnvironment = {
  readonly variables: Readonly<Record<string, string>>;
  /** The values that must not be shown: those of the variables that the server's `env` names. */
  readonly secrets: readonly string[];
};

/** What every program needs to run; nothing of it is a secret. */
const always: readonly string[] = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'SYSTEMROOT', 'TEMP'];
/** A shorter value would be found in half of all words. */
const shortestSecret = 4;

/**
 * The environment of each enabled server that is a process: PATH and the like, and the variables that its `env` in `mcp_servers.yaml` names. Nothing else of
 * the environment reaches it.
 *
 * @returns the variables that are named and not set, all in one message.
 */
export function serverEnvironments(
  servers: Readonly<Record<string, McpServerConfig>>,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Result<Readonly<Record<string, ServerEnvironment>>, string> {
  const environments: Record<string, ServerEnvironment> = {};
  const missing: string[] = [];
  for (const { name, enabled, process: program } of Object.values(servers)) {
    if (program === undefined || !enabled) continue;
    missing.push(...program.env.filter((key) => env[key] === undefined).map((key) => `${key} (server ${name})`));
    environments[name] = environmentOf(program.env, env);
  }
  if (missing.length === 0) return success(environments);
  return failure(`Set these variables, which mcp_servers.yaml hands to server processes: ${missing.join(', ')}.`);
}

function environmentOf(named: readonly string[], env: Readonly<Record<string, string | undefined>>): ServerEnvironment {
  const pairs = [...always, ...named].flatMap((key) => {
    const value = env[key];
    return value === undefined ? [] : [[key, value] as const];
  });
  const secrets = pairs.filter(([key, value]) => named.includes(key) && value.length >= shortestSecret);
  return { variables: Object.fromEntries(pairs), secrets: secrets.map(([, value]) => value) };
}
