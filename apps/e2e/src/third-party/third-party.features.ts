import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { childEnvironment } from '@latch/config';
import { type McpServerConfig, type RawOutcome } from '@latch/contracts';
import { compileSchema, type ListedTool, type McpCall, McpClientPool, type McpClientPoolOptions } from '@latch/mcp';

const { resolve } = createRequire(import.meta.url);

/** Where the program of a third party stands. */
export const programs = {
  everything: resolve('@modelcontextprotocol/server-everything/dist/index.js'),
  filesystem: resolve('@modelcontextprotocol/server-filesystem/dist/index.js'),
} as const;

const bounds = {
  ...{ name: 'third', enabled: true, connectTimeoutMs: 20_000, maxConcurrentCalls: 8, maxResultBytes: 1_048_576 },
  breaker: { failures: 5, openMs: 1_000 },
};
const environment = { variables: { PATH: childEnvironment()['PATH'] ?? '' }, secrets: [] };

/** A pool that knows one server. */
export function poolOf(server: Partial<McpServerConfig>, more: Partial<McpClientPoolOptions> = {}): McpClientPool {
  const third = { ...bounds, url: 'stdio:node', ...server };
  const options = { servers: { third }, environments: { third: environment } };
  return new McpClientPool({ ...options, clientName: 'latch', clientVersion: '1.0.0', ...more });
}

/** A server over stdio, of the given program and arguments. */
export function stdio(...args: readonly string[]): Partial<McpServerConfig> {
  return { process: { command: 'node', args, env: [] } };
}

/** A server over HTTP in a process of its own, once it listens. */
export async function startOverHttp(program: string): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const port = await freePort();
  const env = childEnvironment({ PORT: String(port) });
  const child = spawn('node', [program, 'streamableHttp'], { env, stdio: 'ignore' });
  const exited = once(child, 'exit');
  for (let tries = 0; !(await isListening(port)); tries += 1) {
    if (tries > 200) throw new Error(`${program} does not listen on ${port}.`);
    await sleep(100);
  }
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** A call with a wide budget: third parties start slowly on a busy machine. */
export function callOf(
  name: string,
  args: Readonly<Record<string, unknown>> = {},
  more: Partial<McpCall> = {},
): McpCall {
  return { ...owner, name, arguments: args, timeoutMs: 30_000, ...more };
}

/** On whose behalf the specs call. */
export const owner = { server: 'third', tenant: 'tenant-1', principal: 'agent-1' } as const;

/** The text of the first block of a result; the outcome itself where there is none. */
export function textOf(outcome: RawOutcome): string {
  const [block] = outcome.kind === 'result' ? (outcome.result.content ?? []) : [];
  return typeof block === 'object' && block !== null && 'text' in block ? String(block.text) : JSON.stringify(outcome);
}

/** How a result departs from the output schema that its tool declares; a tool without one is a mistake of the spec. */
export function problemsWith(outputSchema: ListedTool['outputSchema'], outcome: RawOutcome): readonly unknown[] {
  const compiled = compileSchema(outputSchema);
  if (!compiled.ok) throw new Error(compiled.error);
  return outcome.kind === 'result' ? compiled.value(outcome.result.structuredContent) : [outcome];
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const result = await Promise.race([
    once(socket, 'connect').then(
      () => true,
      () => false,
    ),
    sleep(500, false),
  ]);
  socket.destroy();
  return result;
}
