import { type AgentConfig, type PlatformConfig, TerminalError } from '@latch/contracts';
import { type EventStore } from '@latch/event-store';

/** The configurations that decisions are made with: the current one of each agent, and those that open transactions are pinned to. */
export type AgentConfigs = {
  /** The configuration with this digest; the agent's current one when nothing is pinned. @throws TerminalError for an agent that nobody configured. */
  get(agentId: string, pinned: string | null): AgentConfig;
  /** Makes pinned configurations available that this process has not seen yet, from the store. */
  load(digests: readonly string[]): Promise<void>;
};

/**
 * Opens the configurations of a platform and keeps each version in the store, so that a transaction goes on with the one that it started with, also after
 * a rollout and in another replica.
 */
export async function openAgentConfigs(
  platform: PlatformConfig,
  store: Pick<EventStore, 'saveConfigVersions' | 'readConfigVersion'>,
): Promise<AgentConfigs> {
  const agents = Object.values(platform.agents);
  await store.saveConfigVersions(agents);
  const byDigest = new Map(agents.map((agent) => [agent.digest, agent]));
  return {
    get: (agentId, pinned) => (pinned === null ? undefined : byDigest.get(pinned)) ?? currentOf(platform, agentId),
    load: async (digests) => {
      for (const digest of digests.filter((one) => !byDigest.has(one))) {
        const stored = await store.readConfigVersion(digest);
        if (stored) byDigest.set(digest, stored);
      }
    },
  };
}

function currentOf(platform: PlatformConfig, agentId: string): AgentConfig {
  const agent = Object.hasOwn(platform.agents, agentId) ? platform.agents[agentId] : undefined;
  if (agent) return agent;
  throw new TerminalError(`No agent "${agentId}" is configured`, { code: 'agent.unknown' });
}
