import { type AgentConfig, TerminalError } from '@latch/contracts';
import { type EventStore } from '@latch/event-store';

/** Versions that are held in memory beside the current ones; a rollout a day makes a year of them. */
const mostVersions = 400;

/** The versions of configurations that this process knows, each under its digest; the store has all of them. */
export class ConfigVersions {
  private readonly known = new Map<string, AgentConfig>();
  private current: ReadonlySet<string> = new Set();

  constructor(
    private readonly store: Pick<EventStore, 'saveConfigVersions' | 'readConfigVersion'>,
    private readonly most = mostVersions,
  ) {}

  /** Keeps the versions that become current. @returns them; one that was known is the same object as before, with everything that was compiled for it. */
  async keep(agents: readonly AgentConfig[]): Promise<readonly AgentConfig[]> {
    const fresh = agents.filter(({ digest }) => !this.known.has(digest));
    await this.store.saveConfigVersions(fresh);
    fresh.forEach((agent) => this.known.set(agent.digest, agent));
    this.current = new Set(agents.map(({ digest }) => digest));
    return agents.map((agent) => this.known.get(agent.digest) ?? agent);
  }

  /** Reads versions that this process does not hold. One that the store does not have either is told by `get`. */
  async load(digests: readonly string[]): Promise<void> {
    const wanted = new Set(digests);
    for (const digest of wanted) {
      if (this.known.has(digest)) continue;
      const stored = await this.store.readConfigVersion(digest);
      if (stored) this.known.set(digest, stored);
    }
    this.forgetOldest(wanted);
  }

  /** @throws TerminalError for a version that is not stored: another one is no substitute. */
  get(digest: string): AgentConfig {
    const agent = this.known.get(digest);
    if (agent) return agent;
    throw new TerminalError(`The configuration ${digest}, to which a transaction is pinned, is not stored`, {
      code: 'internal',
    });
  }

  private forgetOldest(wanted: ReadonlySet<string>): void {
    for (const digest of this.known.keys()) {
      if (this.known.size <= this.most) return;
      if (!wanted.has(digest) && !this.current.has(digest)) this.known.delete(digest);
    }
  }
}
