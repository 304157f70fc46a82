import { type AgentConfig, type PlatformConfig, TerminalError } from '@latch/contracts';
import { type EventStore } from '@latch/event-store';
import { type ConversationState, isApprovalOutdated } from '@latch/transaction';
import { ConfigVersions } from './config-versions.ts';
import { type AcceptedSchema, effectiveAgent } from './effective-agent.ts';
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

/** Configurations that change while the service runs. What is open keeps the version that it is pinned to. */
export type LiveConfigs = AgentConfigs & {
  /** Makes other files current, once they are kept. */
  use(platform: PlatformConfig): Promise<void>;
  /** Looks again which schemas of tools are accepted. */
  refreshSchemas(): Promise<void>;
};

/** What configurations need of the store. */
export type ConfigStore = Pick<EventStore, 'saveConfigVersions' | 'readConfigVersion' | 'readAcceptedSchemas'>;

/**
 * Opens the configurations of a platform and keeps each version in the store, so that a transaction goes on with the one that it started with, also after
 * a rollout and in another replica. The accepted schemas of the tools are part of a version.
 */
export async function openAgentConfigs(platform: PlatformConfig, store: ConfigStore): Promise<LiveConfigs> {
  const versions = new ConfigVersions(store);
  let files = platform;
  let schemas = await store.readAcceptedSchemas();
  let current = await makeCurrent({ files, schemas, versions });
  let changes: Promise<void> = Promise.resolve();
  /** One change after the other; one that could not be kept changes nothing. */
  const change = (
    make: () => Promise<{ files: PlatformConfig; schemas: readonly AcceptedSchema[] }>,
  ): Promise<void> => {
    const done = changes.then(async () => {
      const next = await make();
      current = await makeCurrent({ ...next, versions });
      ({ files, schemas } = next);
    });
    changes = done.catch(() => undefined);
    return done;
  };
  return {
    get: (agentId, pinned) => (pinned === null ? currentOf(current, agentId) : versions.get(pinned)),
    load: (digests) => versions.load(digests),
    use: (next) => change(() => Promise.resolve({ files: next, schemas })),
    refreshSchemas: () => change(async () => ({ files, schemas: await store.readAcceptedSchemas() })),
  };
}

type Agents = ReadonlyMap<string, AgentConfig>;

async function makeCurrent(of: {
  readonly files: PlatformConfig;
  readonly schemas: readonly AcceptedSchema[];
  readonly versions: ConfigVersions;
}): Promise<Agents> {
  const agents = Object.values(of.files.agents).map((agent) => effectiveAgent(agent, of.schemas));
  const kept = await of.versions.keep(agents);
  return new Map(kept.map((agent) => [agent.agentId, agent]));
}

function currentOf(agents: Agents, agentId: string): AgentConfig {
  const agent = agents.get(agentId);
  if (agent) return agent;
  throw new TerminalError(`No agent "${agentId}" is configured`, { code: 'agent.unknown' });
}

/** Every configuration that transactions of a conversation are pinned to. */
export function pinnedDigests({ transaction, parked, unresolved }: ConversationState): readonly string[] {
  return [...(transaction === null ? [] : [transaction]), ...parked, ...unresolved].map(
    ({ configDigest }) => configDigest,
  );
}

/**
 * The configuration of a decision: that of the transaction that the work is about. A user message is about the open one; a result or a deadline may be about
 * one that was set aside. A call that was not sent because its approval is outdated is put together again with the current one.
 */
export function agentFor(work: Work, state: ConversationState, configs: AgentConfigs): AgentConfig {
  const { agentId } = work.identity;
  if (work.kind === 'tool_result' && isApprovalOutdated(state, work)) return configs.get(agentId, null);
  const { transaction, parked, unresolved } = state;
  const all = [...(transaction === null ? [] : [transaction]), ...parked, ...unresolved];
  const about = work.kind === 'turn' ? transaction : (all.find((one) => isAbout(work, one)) ?? transaction);
  return configs.get(agentId, about?.configDigest ?? null);
}

type AnyTransaction =
  ConversationState['parked' | 'unresolved'][number] | NonNullable<ConversationState['transaction']>;

function isAbout(work: Work, transaction: AnyTransaction): boolean {
  if (work.kind === 'deadline') return work.transactionId === transaction.id;
  return work.kind === 'tool_result' && work.result.transaction_id === transaction.id;
}
