import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePorts, IngressClient, type Ports } from '@latch/cli';
import { childEnvironment } from '@latch/config';
import { type EventStore, migrate, openEventStore } from '@latch/event-store';
import { KafkaBus } from '@latch/messaging';
import { createLogger } from '@latch/observability';
import { eventually, freshDatabase, freshTopicPrefix, testBrokers } from '@latch/testing';
import { z } from 'zod';

/** The services of the path from a turn to its effect and back, each a process of its own that can be killed. */
export const refereeServices = ['ingress', 'orchestrator', 'tool-executor', 'result-normalizer'] as const;
export type RefereeService = (typeof refereeServices)[number];

/** One effect, as the referee wrote it to the disk before it answered. */
export type Effect = z.infer<typeof Effect>;
const Effect = z.object({
  key: z.string(),
  digest: z.string(),
  order: z.string(),
  items: z.array(z.string()),
  at: z.number(),
});

/** One request that reached the referee; `closedAt` is when its socket was closed, `lateMs` how late the machine's timers came meanwhile. */
export type RefereeCall = z.infer<typeof RefereeCall>;
const RefereeCall = z.object({
  tool: z.string(),
  order: z.string(),
  key: z.string(),
  startedAt: z.number(),
  answeredAt: z.number().nullable(),
  closedAt: z.number().nullable(),
  lateMs: z.number(),
});

const checkout = path.join(import.meta.dirname, '../../../..');
const silent = createLogger({ service: 'referee', level: 'silent' });
const Announcement = z.object({ port: z.number(), latePort: z.number() });

/** Real services over real Kafka and Postgres, with the referee as their only MCP server. */
export class RefereeSystem {
  readonly ingress: IngressClient;
  private readonly processes = new Map<RefereeService, ChildProcess>();

  private constructor(
    private readonly parts: {
      readonly folder: string;
      readonly referee: { readonly process: ChildProcess; readonly url: string };
      readonly ports: Ports;
      readonly environment: Readonly<Record<string, string>>;
      readonly dropDatabase: () => Promise<void>;
    },
    readonly store: EventStore,
    readonly bus: KafkaBus,
  ) {
    this.ingress = new IngressClient(`http://127.0.0.1:${parts.ports.ingress}`);
  }

  /** @throws Error with the end of the log of a service that does not become ready. */
  static async start(): Promise<RefereeSystem> {
    const folder = mkdtempSync(path.join(tmpdir(), 'latch-referee-'));
    const [referee, database, ports] = await Promise.all([startReferee(folder), freshDatabase(), freePorts()]);
    writeConfiguration(folder, referee);
    await migrate(database.url);
    const topicPrefix = freshTopicPrefix();
    const bus = new KafkaBus({
      brokers: testBrokers(),
      clientId: 'referee',
      topicPrefix,
      partitions: 4,
      logger: silent,
    });
    await bus.ensureTopics();
    const store = await openEventStore({
      databaseUrl: database.url,
      producer: 'referee',
      logger: silent,
      personalData: 'clear',
    });
    const environment = environmentFor({ folder, databaseUrl: database.url, topicPrefix });
    const url = `http://127.0.0.1:${referee.port}`;
    const parts = {
      folder,
      referee: { process: referee.process, url },
      ports,
      environment,
      dropDatabase: database.drop,
    };
    const system = new RefereeSystem(parts, store, bus);
    try {
      await Promise.all(refereeServices.map((service) => system.startService(service)));
    } catch (error) {
      await system.stop();
      throw error;
    }
    return system;
  }

  /** Starts a service that is not running and waits until it is ready. */
  async startService(service: RefereeService): Promise<void> {
    const ready = `http://127.0.0.1:${this.parts.ports[service]}/ready`;
    let child = this.spawnService(service);
    const started = async (): Promise<void> => {
      // Its port may be taken for a moment by a connection of another test.
      if (child.exitCode !== null) child = this.spawnService(service);
      await assertReady(ready);
      if (child.exitCode !== null) throw new Error(`Somebody else answers on the port of ${service}.`);
    };
    try {
      await eventually(started, { timeoutMs: 60_000, everyMs: 100 });
    } catch (error) {
      throw new Error(`${service} is not ready:\n${readFileSync(this.logFileOf(service), 'utf8').slice(-2_000)}`, {
        cause: error,
      });
    }
  }

  private spawnService(service: RefereeService): ChildProcess {
    const log = openSync(this.logFileOf(service), 'a');
    const port = this.parts.ports[service];
    const child = spawn(process.execPath, [path.join(checkout, `apps/${service}/dist/main.js`)], {
      env: { ...this.parts.environment, LATCH_HTTP_PORT: String(port) },
      stdio: ['ignore', log, log],
    });
    this.processes.set(service, child);
    return child;
  }

  /** Ends a service with -9. */
  async kill(service: RefereeService): Promise<void> {
    await endProcess(this.processes.get(service));
  }

  /** Resident memory of a service, in bytes, by its own metrics. */
  async memoryOf(service: RefereeService): Promise<number> {
    const metrics = await (await fetch(`http://127.0.0.1:${this.parts.ports[service]}/metrics`)).text();
    return Number(/^(?:latch_)?process_resident_memory_bytes(?:\{[^}]*\})? (\S+)$/m.exec(metrics)?.[1]);
  }

  /** What the referee does with the calls of an order: one step per attempt, the last for all that follow. */
  plan(order: string, steps: readonly string[]): Promise<void> {
    return this.tellReferee('/plan', { order, steps });
  }

  /** The referee lists these tools with another schema from now on. */
  changeSchemas(tools: readonly string[]): Promise<void> {
    return this.tellReferee('/change', { tools });
  }

  /** The referee's second port answers from now on. */
  listenLate(): Promise<void> {
    return this.tellReferee('/listen', {});
  }

  /** Everything that has happened, from the referee's disk. */
  effects(): readonly Effect[] {
    const lines = readFileSync(path.join(this.parts.folder, 'effects.log'), 'utf8').split('\n');
    return lines.filter((line) => line !== '').map((line) => Effect.parse(JSON.parse(line)));
  }

  /** Every request that reached the referee. */
  async calls(): Promise<readonly RefereeCall[]> {
    const answer = await fetch(`${this.parts.referee.url}/calls`);
    return z.object({ calls: z.array(RefereeCall) }).parse(await answer.json()).calls;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.processes.values(), this.parts.referee.process].map(endProcess));
    await Promise.all([this.store.close(), this.bus.close()]);
    await this.parts.dropDatabase();
    rmSync(this.parts.folder, { recursive: true, force: true });
  }

  private logFileOf(service: RefereeService): string {
    return path.join(this.parts.folder, `${service}.log`);
  }

  private async tellReferee(route: string, body: unknown): Promise<void> {
    await fetch(this.parts.referee.url + route, { method: 'POST', body: JSON.stringify(body) });
  }
}

async function startReferee(folder: string): Promise<{ process: ChildProcess; port: number; latePort: number }> {
  const script = path.join(import.meta.dirname, 'referee-server.mjs');
  const child = spawn(process.execPath, [script, path.join(folder, 'effects.log')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const line = await new Promise<string>((resolve) => child.stdout.once('data', (data) => resolve(String(data))));
  return { process: child, ...Announcement.parse(JSON.parse(line)) };
}

async function endProcess(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

async function assertReady(url: string): Promise<void> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(await answer.text());
}

/** Short times everywhere: what is proven is the order of things and not their length. */
function environmentFor(of: {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly topicPrefix: string;
}): Record<string, string> {
  return childEnvironment({
    LATCH_BUS: 'kafka',
    KAFKA_BROKERS: testBrokers().join(','),
    DATABASE_URL: of.databaseUrl,
    LATCH_PERSONAL_DATA: 'clear',
    LATCH_CONFIG_DIR: of.folder,
    LATCH_TOPIC_PREFIX: of.topicPrefix,
    LATCH_HTTP_HOST: '127.0.0.1',
    LATCH_AUTH: 'off',
    LATCH_LEASE_MS: '1500',
    LATCH_LEASE_SWEEP_MS: '300',
    LATCH_SCHEMA_FRESH_MS: '0',
    LATCH_SCHEMA_REFRESH_MS: '1000',
    LATCH_CONFIG_POLL_MS: '200',
    LATCH_DEADLINE_POLL_MS: '200',
  });
}

export const callTimeoutMs = 2_000;

/** JSON is YAML. */
function writeConfiguration(folder: string, referee: { readonly port: number; readonly latePort: number }): void {
  const order = { order: { type: 'string', label: 'o pedido' } };
  const many = { ...order, items: { type: 'array', label: 'os itens' } };
  const effect = {
    operation_type: 'transactional',
    require_confirmation: true,
    requires: ['order'],
    timeout_ms: callTimeoutMs,
  };
  const asked = { ...effect, reconcile_tool: 'consultar', max_attempts: 5 };
  const policies = {
    cancelar: { ...asked, idempotent: true, timeout_ms: 8_000 },
    cancelar_uma_vez: asked,
    cancelar_tarde: { ...asked, idempotent: true, timeout_ms: 8_000, max_attempts: 10 },
    cancelar_mutavel: { ...asked, idempotent: true },
    cancelar_varios: { ...asked, requires: ['order', 'items'] },
    // Nothing is shown of its deadline, and the machine may be busy with two dozen faults at once.
    consultar: { operation_type: 'read_only', timeout_ms: 8_000 },
  };
  const names = Object.keys(policies);
  const serverOf = (name: string): string => (name === 'cancelar_tarde' ? 'late' : 'referee');
  const schemaOf = (name: string): unknown =>
    name === 'consultar' ? { ...many, idempotency_key: 'string' } : name === 'cancelar_varios' ? many : order;
  const breaker = { failures: 1_000, open_ms: 500 };
  const server = (port: number): unknown => ({
    url: `http://127.0.0.1:${port}/mcp`,
    max_concurrent_calls: 64,
    breaker,
  });
  const files = {
    'agents.yaml': { agents: [{ agent_id: 'arbitrado', locale: 'pt-BR', channels: ['web'] }] },
    'routing.yaml': { intents: names.map((name) => ({ name, tool: name, keywords: [name] })) },
    'tools.yaml': {
      tools: Object.fromEntries(
        names.map((name) => [name, { mcp_server: serverOf(name), args_schema: schemaOf(name) }]),
      ),
    },
    'tool_policies.yaml': { tool_policies: policies },
    'mcp_parameter_mapping.yaml': { tools: { consultar: { idempotency_argument: 'idempotency_key' } } },
    'mcp_servers.yaml': { servers: { referee: server(referee.port), late: server(referee.latePort) } },
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), JSON.stringify(content));
}
