import { execFile } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inspect, promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { childEnvironment, parseKeyRing } from '@latch/config';
import { kafkaRights, topics } from '@latch/contracts';
import { migrate } from '@latch/event-store';
import { makeEnvelope, signRecords, toBusMessage } from '@latch/messaging';
import { type Logger, type RunningService } from '@latch/observability';
import { eventually, freshDatabase, type FreshDatabase, freshTopicPrefix, testDataKey } from '@latch/testing';
import { DomainServerClient } from '../conversation/domain-server-client.ts';
import { IngressClient } from '../conversation/ingress-client.ts';
import { Talk } from '../conversation/talk.ts';
import { busIn, reauthenticateMs, type SecuredKafka } from './secured-kafka.features.ts';
import { configFolder, securedServices, startOrders } from './secured-services.features.ts';

const run = promisify(execFile);
const main = path.join(import.meta.dirname, '../../dist/main.js');
const [oldKey, newKey] = [1, 2].map((n) => `k${n}:${Buffer.alloc(32, n).toString('base64')}`);

/** All services, each under its own principal with its own rights and no other, have conversations over a Kafka that allows nothing by itself. */
export function describeSecuredConversations(kafkaOf: () => SecuredKafka): void {
  let kafka: SecuredKafka;
  let database: FreshDatabase;
  let orders: RunningService;
  let environment: Record<string, string>;
  let ingress: IngressClient;
  const topicPrefix = freshTopicPrefix();
  const running = new Map<string, RunningService>();
  const { logger, lines } = keepingLogger();
  const died: unknown[] = [];
  let startedAt = 0;

  const start = async (name: keyof typeof securedServices): Promise<void> => {
    const onFatal = (error: unknown): void => void died.push(error);
    running.set(name, await securedServices[name]({ kafka, environment, logger, onFatal }));
  };
  const talk = (name: string): Talk => new Talk(ingress, { agentId: 'retail_orders', sessionId: `session-${name}` });
  const readiness = async (name: string): Promise<string> => {
    const response = await fetch(`${running.get(name)?.url}/ready`);
    return `${response.status} ${await response.text()}`;
  };

  beforeAll(async () => {
    kafka = kafkaOf();
    startedAt = Date.now();
    await kafka.grant(kafkaRights(), topicPrefix);
    database = await freshDatabase();
    await migrate(database.url);
    orders = await startOrders(logger);
    environment = {
      ...{ DATABASE_URL: database.url, LATCH_TOPIC_PREFIX: topicPrefix, LATCH_TOPIC_PARTITIONS: '2' },
      ...{ LATCH_DATA_KEY: testDataKey, LATCH_BUS_KEY: oldKey ?? '', LATCH_LOG_LEVEL: 'trace' },
      LATCH_CONFIG_DIR: configurationWith(`${orders.url}/mcp`, kafka.folder),
    };
    const prepare = busIn(kafka.environmentOf('prepare'), { topicPrefix, logger });
    await prepare.ensureTopics();
    await prepare.close();
    for (const name of [
      'result-normalizer',
      'tool-executor',
      'orchestrator',
      'evaluator',
      'console',
      'ingress',
    ] as const)
      await start(name);
    ingress = new IngressClient(running.get('ingress')?.url ?? '');
  }, 60_000);

  afterAll(async () => {
    await Promise.all([...running.values()].map((service) => service.stop()));
    await orders.stop();
    await database.drop();
  }, 60_000);

  describe('services that have the rights of the table and no other', () => {
    it('have a conversation from end to end, and lack none', async () => {
      const speaker = talk('whole');
      await speaker.ask('quero cancelar o pedido PED-1001');
      await speaker.ask('sim');
      expect((await new DomainServerClient(orders.url).calls()).totalEffects).toBe(1);
      expect(lines.filter((line) => /consumer\.refused|bus\.send_refused/.test(line))).toEqual([]);
      for (const name of running.keys()) expect(await readiness(name)).toMatch(/^200/);
    });
  });

  describe('a service that loses a right while it runs', () => {
    const rightsTo = (operation: 'Read' | 'Write') =>
      kafkaRights().filter((one) => one.principal === 'orchestrator' && one.operations.includes(operation));

    it.each(['Read', 'Write'] as const)(
      'says so in /ready and goes on when it comes back: %s',
      async (operation) => {
        await kafka.revoke(rightsTo(operation), topicPrefix);
        const answer = talk(operation.toLowerCase()).ask('onde está o pedido PED-1001');
        await eventually(
          async () => {
            const said = await readiness('orchestrator');
            expect(said).toMatch(/^503/);
            expect(said).toContain('User:latch-orchestrator');
            expect(said).toContain(`the right ${operation} on`);
          },
          { timeoutMs: 20_000 },
        );
        await kafka.grant(rightsTo(operation), topicPrefix);
        expect((await answer).text).toContain('PED-1001');
        await eventually(async () => expect(await readiness('orchestrator')).toMatch(/^200/), { timeoutMs: 20_000 });
        expect(died).toEqual([]);
      },
      60_000,
    );
  });

  describe('a message that nobody could read', () => {
    it('is kept, and sent again by an operator, who has the rights of the table', async () => {
      await publishSignedWithTheNewKey();
      const surroundings = childEnvironment({
        ...environment,
        ...kafka.environmentOf('operators'),
        LATCH_BUS_KEY: `${oldKey},${newKey}`,
      });
      const latch = async (...args: string[]): Promise<unknown> => {
        const ended = await run(process.execPath, [main, 'dead-letters', ...args, '--json'], {
          env: surroundings,
        }).catch((error: unknown) => error);
        return JSON.parse(
          String(Reflect.get(Object(ended), 'stdout'))
            .trim()
            .split('\n')[0] ?? '',
        );
      };
      await eventually(async () => expect(await latch('list')).toMatchObject({ letters: [{ key: keyOf('late') }] }), {
        timeoutMs: 20_000,
      });
      await running.get('orchestrator')?.stop();
      environment = { ...environment, LATCH_BUS_KEY: `${oldKey},${newKey}` };
      await start('orchestrator');
      const letters = await latch('redrive', '--topic', topics.turns, '--yes');
      expect(letters).toMatchObject({ sent: 1, refused: 0 });
      await eventually(
        async () => {
          const events = await ingress.events(keyOf('late'));
          expect(events.map(({ event_type: type }) => type)).toContain('IC.TURN_ANSWERED');
        },
        { timeoutMs: 20_000 },
      );
    }, 60_000);

    async function publishSignedWithTheNewKey(): Promise<void> {
      const ring = parseKeyRing(newKey ?? '');
      if (!ring.ok) throw new Error(ring.error);
      const bus = busIn(kafka.environmentOf('ingress'), { topicPrefix, logger });
      await signRecords(bus, { keys: ring.value, unsigned: 'refuse' }).publish([turnOf(talk('late'))]);
      await bus.close();
    }
    const keyOf = (name: string): string => talk(name).conversationKey;
  });

  describe('a login that ends', () => {
    it('is renewed, and nobody notices', async () => {
      await eventually(() => expect(Date.now() - startedAt).toBeGreaterThan(reauthenticateMs + 1_000), {
        timeoutMs: reauthenticateMs + 5_000,
        everyMs: 200,
      });
      expect((await talk('later').ask('onde está o pedido PED-1001')).text).toContain('PED-1001');
      expect(died).toEqual([]);
    }, 60_000);
  });

  describe('what was logged meanwhile, at every level', () => {
    it('holds no password', () => {
      expect(lines.length).toBeGreaterThan(100);
      expect(lines.filter((line) => kafka.secrets.some((secret) => line.includes(secret)))).toEqual([]);
    });
  });
}

function configurationWith(retailUrl: string, folder: string): string {
  const config = path.join(folder, 'config');
  cpSync(configFolder, config, { recursive: true });
  const file = path.join(config, 'mcp_servers.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/\$\{LATCH_MCP_RETAIL_URL[^}]*\}/, retailUrl));
  return config;
}

function turnOf(talk: Talk): ReturnType<typeof toBusMessage> {
  const request = talk.requestFor('onde está o pedido PED-1001');
  const envelope = makeEnvelope({
    ...{ eventType: 'IC.GATEWAY_RECEIVED', payload: request, contractVersion: 'gateway-request-v1' },
    ...{
      tenantId: 'default',
      agentId: 'retail_orders',
      sessionId: talk.sessionId,
      conversationKey: talk.conversationKey,
    },
    ...{ traceId: 'a'.repeat(32), eventId: 'turn-late', messageId: request.payload.message_id },
    ...{ producer: 'ingress', timestamp: new Date().toISOString() },
  });
  return toBusMessage(topics.turns, envelope);
}

/** Keeps each line with all that an error carries, its causes included. */
function keepingLogger(): { readonly logger: Logger; readonly lines: string[] } {
  const lines: string[] = [];
  const at = (event: string, fields?: unknown): void => void lines.push(`${event} ${inspect(fields, { depth: 12 })}`);
  const logger: Logger = { trace: at, debug: at, info: at, warn: at, error: at, fatal: at, child: () => logger };
  return { logger, lines };
}
