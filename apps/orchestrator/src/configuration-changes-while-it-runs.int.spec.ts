import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AgentConfig, type PlatformConfig, type StructuredError } from '@latch/contracts';
import { type LiveConfigs, openAgentConfigs } from './agent-configs.ts';
import {
  answersIn,
  callsIn,
  conversationWith,
  startTestEngine,
  type TestEngine,
} from './engine-on-postgres.features.ts';
import { createBatchHandler, type BatchHandler } from './handle-batch.ts';
import { platformIn } from './sample-platform.features.ts';

let engine: TestEngine;
let platform: PlatformConfig;
let configs: LiveConfigs;
let live: BatchHandler;
/** What the executor has accepted, as the engine reads it. */
let accepted: { server: string; tool: string; hash: string }[] = [];

beforeAll(async () => {
  engine = await startTestEngine();
  platform = await platformIn();
  const { store } = engine;
  configs = await openAgentConfigs(platform, {
    saveConfigVersions: (agents) => store.saveConfigVersions(agents),
    readConfigVersion: (digest) => store.readConfigVersion(digest),
    readAcceptedSchemas: () => Promise.resolve(accepted),
  });
  live = createBatchHandler({ store, bus: engine.bus, configs, idleMs: 50 });
});
afterAll(async () => {
  await live.close();
  await engine.end();
});

const changed: StructuredError = {
  errorCategory: 'validation',
  isRetryable: false,
  message: 'The schema of the tool has changed.',
  code: 'tool.schema_changed',
};

function accept(hash: string): void {
  const tool = configs.get('retail_orders', null).tools['retail_order_cancel'];
  accepted = [{ server: tool?.server ?? '', tool: 'retail_order_cancel', hash }];
}

type Talk = ReturnType<typeof conversationWith>;

/** Up to the question whether the order is to be cancelled. */
async function shown(talk: Talk): Promise<void> {
  await live.handle([talk.says('quero cancelar o pedido PED-1001')]);
  const [validation] = callsIn(engine.published.splice(0));
  if (!validation) throw new Error('nothing was validated');
  await live.handle([talk.resultOf(validation, { ok: true, data: { eligible: true }, outcome: 'SUCCESS' })]);
}

async function validated(talk: Talk): Promise<void> {
  const [validation] = callsIn(engine.published.splice(0));
  if (!validation) throw new Error('nothing was validated');
  await live.handle([talk.resultOf(validation, { ok: true, data: { eligible: true }, outcome: 'SUCCESS' })]);
}

function renamed(name: string): PlatformConfig {
  const agents = Object.entries(platform.agents).map(([id, agent]): [string, AgentConfig] => {
    const tools = Object.entries(agent.tools).map(([key, tool]) => [key, { ...tool, label: name }] as const);
    return [id, { ...agent, tools: Object.fromEntries(tools), digest: `${id} ${name}` }];
  });
  return { ...platform, agents: Object.fromEntries(agents) };
}

describe('other configuration files', () => {
  it('are used for what begins after them; what is open goes on with its own', async () => {
    const before = conversationWith('retail_orders');
    await live.handle([before.says('quero cancelar pedido')]);
    await configs.use(renamed('a devolução'));
    const after = conversationWith('retail_orders');
    engine.published.splice(0);
    await live.handle([before.says('não entendi'), after.says('quero cancelar pedido')]);
    const [, told] = answersIn(engine.published.splice(0)).map(({ metadata }) => metadata?.['transaction_status']);
    expect(told).toBe('COLLECTING_PARAMETERS');
    const digests = await Promise.all(
      [before, after].map(async ({ key }) => (await engine.store.readConversation('default', key))?.configDigest),
    );
    expect(digests[1]).toBe('retail_orders a devolução');
    expect(digests[0]).not.toBe(digests[1]);
    await configs.use(platform);
  });
});

describe('a tool whose schema is accepted anew between the yes and the call', () => {
  it('is asked for once more under the accepted schema, and then called', async () => {
    accept('schema-1');
    await configs.refreshSchemas();
    const talk = conversationWith('retail_orders');
    await shown(talk);
    engine.published.splice(0);
    await live.handle([talk.says('sim')]);
    const [first] = callsIn(engine.published.splice(0));
    if (!first) throw new Error('nothing was executed');
    expect(first.tool_schema_hash).toBe('schema-1');
    accept('schema-2');
    await live.handle([talk.resultOf(first, { ok: false, data: null, outcome: 'FAILED', error: changed })]);
    await validated(talk);
    const [answer] = answersIn(engine.published.splice(0));
    expect(answer?.metadata).toMatchObject({ transaction_status: 'AWAITING_CONFIRMATION' });
    await live.handle([talk.says('sim')]);
    const [second] = callsIn(engine.published.splice(0));
    expect(second).toMatchObject({ tool_schema_hash: 'schema-2', rev: 2, arguments: first.arguments });
    expect(second?.idempotency_key).not.toBe(first.idempotency_key);
  });

  it('is kept as one version of the configuration with its own digest', async () => {
    accept('schema-3');
    await configs.refreshSchemas();
    const current = configs.get('retail_orders', null);
    expect(current.digest).not.toBe(platform.agents['retail_orders']?.digest);
    const stored = await engine.store.readConfigVersion(current.digest);
    expect(stored?.tools['retail_order_cancel']?.schemaHash).toBe('schema-3');
  });
});

describe('the count of open transactions', () => {
  it('covers every conversation of every tenant', async () => {
    const before = (await engine.store.countOpenTransactions()).get('COLLECTING_PARAMETERS') ?? 0;
    await live.handle([conversationWith('retail_orders').says('quero cancelar pedido')]);
    expect((await engine.store.countOpenTransactions()).get('COLLECTING_PARAMETERS')).toBe(before + 1);
  });
});

describe('the accepted schemas', () => {
  it('may be read by the engine under its own role', async () => {
    expect(await engine.store.readAcceptedSchemas()).toEqual([]);
  });
});
