import { type PlatformConfig, type ToolConfig } from '@latch/contracts';

/** The tools of one server that the configuration names, and whether each is only read from, wherever it is used. */
export type ConfiguredTools = ReadonlyMap<string, boolean>;

/** Server name -> its configured tools. A tool that runs as a workflow is on no server, unless one of its steps calls it; its steps are. */
export function configuredTools({ agents }: Pick<PlatformConfig, 'agents'>): ReadonlyMap<string, ConfiguredTools> {
  const servers = new Map<string, Map<string, boolean>>();
  const tools = Object.values(agents).flatMap((agent) => Object.values(agent.tools));
  for (const tool of tools.filter(isServed)) {
    const ofServer = servers.get(tool.server) ?? new Map<string, boolean>();
    ofServer.set(tool.name, isRead(tool) && ofServer.get(tool.name) !== false);
    servers.set(tool.server, ofServer);
  }
  return servers;
}

function isServed({ name, workflow }: ToolConfig): boolean {
  return workflow === undefined || workflow.steps.some((step) => step.tool === name);
}

/** A tool that asks for a confirmation is taken for one with an effect, whatever its type says. */
function isRead({ operationType, requiresConfirmation }: ToolConfig): boolean {
  return operationType === 'read_only' && !requiresConfirmation;
}
