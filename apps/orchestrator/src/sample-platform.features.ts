import { fileURLToPath } from 'node:url';
import { formatProblems, loadPlatformConfig } from '@latch/config';
import { type AgentConfig, type PlatformConfig } from '@latch/contracts';

const configFolder = fileURLToPath(new URL('../../../deploy/config', import.meta.url));

/** The configuration of a folder. @throws Error with every problem in it. */
export async function platformIn(folder: string = configFolder): Promise<PlatformConfig> {
  const platform = await loadPlatformConfig(folder, {});
  if (!platform.ok) throw new Error(formatProblems(platform.error));
  return platform.value;
}

/** One agent of the sample configuration. */
export async function sampleAgent(agentId: string): Promise<AgentConfig> {
  const { agents } = await platformIn();
  const agent = agents[agentId];
  if (!agent) throw new Error(`No sample agent is called ${agentId}`);
  return agent;
}
