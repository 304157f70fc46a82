import { formatProblems, loadPlatformConfig } from '@latch/config';
import { type AgentConfig } from '@latch/contracts';
import { inCheckout } from '../checkout.ts';

const folders = ['deploy/config', 'contracts/histories/config'];

/** The agents that the scripts talk with: the sample ones, and two shops in English and Spanish. @throws Error with every problem of a folder. */
export async function historyAgents(): Promise<(agentId: string) => AgentConfig> {
  const agents = new Map<string, AgentConfig>();
  for (const folder of folders) {
    const platform = await loadPlatformConfig(inCheckout(folder), {});
    if (!platform.ok) throw new Error(`${folder}:\n${formatProblems(platform.error)}`);
    for (const agent of Object.values(platform.value.agents)) agents.set(agent.agentId, agent);
  }
  return (agentId) => {
    const agent = agents.get(agentId);
    if (agent === undefined) throw new Error(`No agent ${agentId} is configured in ${folders.join(' or ')}`);
    return agent;
  };
}
