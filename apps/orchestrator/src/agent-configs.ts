import { type AgentConfig, type PlatformConfig, TerminalError } from '@latch/contracts';
import { type EventStore } from '@latch/event-store';
import { type ConversationState } from '@latch/transaction';
import { type Work } from './work.ts';

/** The configurations that decisions are made with: the current one of each agent, and those that transactions are pinned to. */
export type AgentConfigs = {
  /**
   * The configuration with this digest; the agent's current one when nothing is pinned.
   *
   * @throws TerminalError for an agent that nobody configured, and for a pinned configuration that was never stored: another one is no substitute.
   */
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
    get: (agentId, pinned) => (pinned === null ? currentOf(platform, agentId) : pinnedTo(byDigest, pinned)),
    load: async (digests) => {
      for (const digest of new Set(digests.filter((one) => !byDigest.has(one)))) {
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

function pinnedTo(byDigest: ReadonlyMap<string, AgentConfig>, digest: string): AgentConfig {
  const agent = byDigest.get(digest);
  if (agent) return agent;
  throw new TerminalError(`The configuration ${digest}, to which a transaction is pinned, is not stored`, {
    code: 'internal',
  });
}

/** Every configuration that transactions of a conversation are pinned to. */
export function pinnedDigests({ transaction, parked, unresolved }: ConversationState): readonly string[] {
  return [...(transaction === null ? [] : [transaction]), ...parked, ...unresolved].map(
    ({ configDigest }) => configDigest,
  );
}

/**
 * The configuration of a decision: that of the transaction that the work is about. A user message is about the open one; a result or a deadline may be about
 * one that was set aside.
 */
export function agentFor(work: Work, state: ConversationState, configs: AgentConfigs): AgentConfig {
  const { transaction, parked, unresolved } = state;
  const all = [...(transaction === null ? [] : [transaction]), ...parked, ...unresolved];
  const about = work.kind === 'turn' ? transaction : (all.find((one) => isAbout(work, one)) ?? transaction);
  return configs.get(work.identity.agentId, about?.configDigest ?? null);
}

type AnyTransaction =
  ConversationState['parked' | 'unresolved'][number] | NonNullable<ConversationState['transaction']>;

function isAbout(work: Work, transaction: AnyTransaction): boolean {
  if (work.kind === 'deadline') return work.transactionId === transaction.id;
  return work.kind === 'tool_result' && work.result.transaction_id === transaction.id;
}
