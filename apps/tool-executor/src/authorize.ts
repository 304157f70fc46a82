import {
  type AgentConfig,
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
import { checkLimits } from './check-limits.ts';

/** The tool that may be called, and where. */
export type AuthorizedTool = { readonly tool: ToolConfig; readonly server: McpServerConfig };

/**
 * Denies by default (invariant I13, DESIGN section 6): the agent is configured and serves this tenant and channel; the tool is the agent's, enabled, open to the
 * channel and of the kind that was approved; its server is enabled; the arguments fit their declaration and the operator's limits. An approved read of a tool
 * that is meanwhile configured as one with an effect is refused: it was never confirmed. The schema of the tool is `ToolSchemas`' to check, right before the
 * call. No bound here spans several calls.
 */
export function authorize(approved: ApprovedInvocation, config: PlatformConfig): Result<AuthorizedTool, Refusal> {
  const { invocation } = approved;
  const agent = ownValue(config.agents, approved.agentId);
  if (agent === undefined) return denied(`The agent ${approved.agentId} is not configured.`);
  const unserved = unservedBy(agent, approved);
  if (unserved !== null) return denied(unserved);
  const tool = ownValue(agent.tools, approved.tool);
  if (tool === undefined) return denied(`The agent ${approved.agentId} has no tool ${approved.tool}.`);
  const barred = barredBy(tool, approved);
  if (barred !== null) return denied(barred);
  const server = ownValue(config.servers, tool.server);
  if (server === undefined || !server.enabled) return denied(`The server ${tool.server} is not enabled.`);
  const unfit = checkArguments(invocation.arguments, tool) ?? checkLimits(invocation, tool);
  return unfit === null ? success({ tool, server }) : failure(unfit);
}

/** A call without a channel was approved before calls named theirs; ingress has held its turn to the agent's channels. */
function unservedBy(agent: AgentConfig, { tenantId, invocation }: ApprovedInvocation): string | null {
  const { channel } = invocation;
  if (!agent.tenants.includes(tenantId)) return `The agent ${agent.agentId} does not serve this tenant.`;
  if (channel === undefined || agent.channels.includes(channel)) return null;
  return `The agent ${agent.agentId} does not serve this channel.`;
}

function barredBy(tool: ToolConfig, approved: ApprovedInvocation): string | null {
  if (!tool.enabled) return `The tool ${tool.name} is switched off.`;
  if (tool.channels !== undefined && !tool.channels.includes(approved.invocation.channel ?? ''))
    return `The tool ${tool.name} is not open to this channel.`;
  if (needsConfirmation(tool, approved)) return `The tool ${tool.name} needs a confirmation, and none was given.`;
  return null;
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
