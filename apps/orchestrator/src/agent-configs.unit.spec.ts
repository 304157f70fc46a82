import { describe, expect, it } from '@jest/globals';
import { type AgentConfig, type PlatformConfig } from '@latch/contracts';
import { openAgentConfigs } from './agent-configs.ts';
import { ConfigVersions } from './config-versions.ts';
import { type AcceptedSchema, effectiveAgent } from './effective-agent.ts';
import { platformIn, sampleAgent } from './sample-platform.features.ts';

const accepted = { server: 'retail', tool: 'retail_order_cancel', hash: 'schema-1' };

/** A store that keeps versions in memory. */
class Shelf {
  readonly kept = new Map<string, AgentConfig>();
  schemas: readonly AcceptedSchema[] = [];
  isAway = false;
  reads = 0;

  saveConfigVersions(agents: readonly AgentConfig[]): Promise<void> {
    if (this.isAway) return Promise.reject(new Error('away'));
    agents.forEach((agent) => this.kept.set(agent.digest, agent));
    return Promise.resolve();
  }

  readConfigVersion(digest: string): Promise<AgentConfig | undefined> {
    this.reads += 1;
    return Promise.resolve(this.kept.get(digest));
  }

  readAcceptedSchemas(): Promise<readonly AcceptedSchema[]> {
    return Promise.resolve(this.schemas);
  }
}

function acceptedFor(agent: AgentConfig): AcceptedSchema {
  const tool = Object.values(agent.tools).find(({ name }) => name === accepted.tool);
  return { ...accepted, server: tool?.server ?? '' };
}

function otherwise(platform: PlatformConfig, name: string): PlatformConfig {
  const agents = Object.entries(platform.agents).map(([id, agent]) => [
    id,
    { ...agent, name, digest: `${id} ${name}` },
  ]);
  return { ...platform, agents: Object.fromEntries(agents) };
}

describe('the configuration that decisions are made with', () => {
  it('has the accepted schema of each tool pinned, under a digest of its own', async () => {
    const agent = await sampleAgent('retail_orders');
    const one = acceptedFor(agent);
    const [first, second] = ['schema-1', 'schema-2'].map((hash) => effectiveAgent(agent, [{ ...one, hash }]));
    expect(first?.tools[one.tool]?.schemaHash).toBe('schema-1');
    expect(new Set([agent.digest, first?.digest, second?.digest]).size).toBe(3);
    expect(effectiveAgent(agent, [one]).digest).toBe(first?.digest);
  });

  it('has another digest where the parameters of a tool come in another order, also with its schema pinned', async () => {
    const agent = await sampleAgent('telecom_contas');
    const turned = Object.entries(agent.tools).map(([name, tool]): [string, typeof tool] => [
      name,
      { ...tool, parameters: Object.fromEntries(Object.entries(tool.parameters).reverse()) },
    ]);
    const pins = Object.values(agent.tools).map(({ server, name }) => ({ server, tool: name, hash: 'schema-1' }));
    const reordered = effectiveAgent({ ...agent, tools: Object.fromEntries(turned) }, pins);
    expect(reordered.digest).not.toBe(effectiveAgent(agent, pins).digest);
  });

  it('is that of the files where no tool of the agent was seen yet', async () => {
    const agent = await sampleAgent('retail_orders');
    expect(effectiveAgent(agent, [{ ...accepted, server: 'another' }])).toBe(agent);
  });
});

describe('configurations that change while the service runs', () => {
  it('are kept before they are used, and what is pinned to an earlier one goes on with it', async () => {
    const [shelf, platform] = [new Shelf(), await platformIn()];
    const configs = await openAgentConfigs(platform, shelf);
    const before = configs.get('retail_orders', null);
    await configs.use(otherwise(platform, 'Outro'));
    const after = configs.get('retail_orders', null);
    expect([before.name, after.name]).toEqual(['Agente Retail Pedidos', 'Outro']);
    expect(shelf.kept.has(after.digest)).toBe(true);
    expect(configs.get('retail_orders', before.digest)).toBe(before);
  });

  it('stay as they are when the next ones cannot be kept', async () => {
    const [shelf, platform] = [new Shelf(), await platformIn()];
    const configs = await openAgentConfigs(platform, shelf);
    const before = configs.get('retail_orders', null);
    shelf.isAway = true;
    await expect(configs.use(otherwise(platform, 'Outro'))).rejects.toThrow('away');
    expect(configs.get('retail_orders', null)).toBe(before);
    shelf.isAway = false;
    await configs.refreshSchemas();
    expect(configs.get('retail_orders', null)).toBe(before);
  });

  it('take up newly accepted schemas, together with the files that are current then', async () => {
    const [shelf, platform] = [new Shelf(), await platformIn()];
    const configs = await openAgentConfigs(platform, shelf);
    const one = acceptedFor(configs.get('retail_orders', null));
    shelf.schemas = [one];
    await Promise.all([configs.use(otherwise(platform, 'Outro')), configs.refreshSchemas()]);
    const current = configs.get('retail_orders', null);
    expect(current.name).toBe('Outro');
    expect(current.tools[one.tool]?.schemaHash).toBe('schema-1');
  });

  it('are the same object as long as nothing changed, so that nothing is compiled twice', async () => {
    const [shelf, platform] = [new Shelf(), await platformIn()];
    const configs = await openAgentConfigs(platform, shelf);
    shelf.schemas = [acceptedFor(configs.get('retail_orders', null))];
    await configs.refreshSchemas();
    const current = configs.get('retail_orders', null);
    await configs.refreshSchemas();
    expect(configs.get('retail_orders', null)).toBe(current);
  });
});

describe('the versions in memory', () => {
  it('are bounded; the current ones and those that are needed now are never let go of', async () => {
    const [shelf, agent] = [new Shelf(), await sampleAgent('retail_orders')];
    const versions = new ConfigVersions(shelf, 3);
    const others = ['v1', 'v2', 'v3', 'v4', 'v5'].map((digest) => ({ ...agent, digest }));
    await versions.keep([agent]);
    await shelf.saveConfigVersions(others);
    for (const { digest } of others) await versions.load([digest]);
    await versions.load(['v1', 'v2']);
    expect([agent.digest, 'v1', 'v2'].map((digest) => versions.get(digest).digest)).toEqual([agent.digest, 'v1', 'v2']);
    expect(() => versions.get('v3')).toThrow('not stored');
    await versions.load(['v3']);
    expect(versions.get('v3').digest).toBe('v3');
  });

  it('tell honestly that one was never stored', async () => {
    const versions = new ConfigVersions(new Shelf());
    await versions.load(['never']);
    expect(() => versions.get('never')).toThrow('is not stored');
  });
});
