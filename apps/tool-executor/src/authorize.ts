import {
  failure,
  type McpServerConfig,
  type PlatformConfig,
  type Result,
  success,
  type ToolConfig,
} from '@latch/contracts';
import { type ApprovedInvocation } from '@latch/event-store';
import { checkArguments } from './check-arguments.ts';
import { type Refusal } from './check-capsule.ts';

/** The tool that may be called, and where. */
export type AuthorizedTool = { readonly tool: ToolConfig; readonly server: McpServerConfig };

/**
 * Denies by default (invariant I13, DESIGN section 6): the agent must be configured and serve this tenant, the tool must be the agent's, enabled, and of the
 * kind that was approved, its server enabled, and the arguments must fit their declaration. An approved read of a tool that is meanwhile configured as one
 * with an effect is refused: it was never confirmed.
 *
 * Not checked here: the channel, which no invocation names (ingress and engine see it, the executor cannot), and the tool's schema hash, since no catalogue is
 * pinned yet. Limits are those of the declared parameters; there are none over several calls or amounts of a day.
 */
export function authorize(approved: ApprovedInvocation, config: PlatformConfig): Result<AuthorizedTool, Refusal> {
  const agent = ownValue(config.agents, approved.agentId);
  if (agent === undefined) return denied(`The agent ${approved.agentId} is not configured.`);
  if (!agent.tenants.includes(approved.tenantId))
    return denied(`The agent ${approved.agentId} does not serve this tenant.`);
  const tool = ownValue(agent.tools, approved.tool);
  if (tool === undefined) return denied(`The agent ${approved.agentId} has no tool ${approved.tool}.`);
  if (!tool.enabled) return denied(`The tool ${approved.tool} is switched off.`);
  if (needsConfirmation(tool, approved))
    return denied(`The tool ${approved.tool} needs a confirmation, and none was given.`);
  const server = ownValue(config.servers, tool.server);
  if (server === undefined || !server.enabled) return denied(`The server ${tool.server} is not enabled.`);
  const unfit = checkArguments(approved.invocation.arguments, tool);
  return unfit === null ? success({ tool, server }) : failure(unfit);
}

/** A tool that is only run confirmed cannot be reached as a validator or a reconcile tool, and not without a proposal. */
function needsConfirmation(tool: ToolConfig, { purpose, proposalId }: ApprovedInvocation): boolean {
  return tool.requiresConfirmation && (purpose !== 'execution' || proposalId === null);
}

/** No name reaches into the prototype. */
function ownValue<T>(values: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function denied(message: string): Result<never, Refusal> {
  return failure({ errorCategory: 'permission', isRetryable: false, message, code: 'tool.not_allowed' });
}
