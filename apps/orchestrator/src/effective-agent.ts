import { type AgentConfig, agentDigest, type ToolConfig } from '@latch/contracts';

/** A schema that the tool catalogue has accepted. */
export type AcceptedSchema = { readonly server: string; readonly tool: string; readonly hash: string };

/**
 * The configuration that decisions are made with: that of the files, with the accepted schema of each tool pinned. It has a digest of its own, under which it is
 * kept; an agent of whose tools none has been seen yet is the one of the files.
 */
export function effectiveAgent(agent: AgentConfig, accepted: readonly AcceptedSchema[]): AgentConfig {
  const hashes = new Map(accepted.map(({ server, tool, hash }) => [keyOf(server, tool), hash]));
  const pinned = Object.entries(agent.tools).flatMap(([name, tool]): [string, ToolConfig][] => {
    const schemaHash = hashes.get(keyOf(tool.server, tool.name));
    return schemaHash === undefined ? [] : [[name, { ...tool, schemaHash }]];
  });
  if (pinned.length === 0) return agent;
  const effective = { ...agent, tools: { ...agent.tools, ...Object.fromEntries(pinned) } };
  return { ...effective, digest: agentDigest(effective) };
}

function keyOf(server: string, tool: string): string {
  return JSON.stringify([server, tool]);
}
