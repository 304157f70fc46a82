import {
  type AgentConfig,
  anonymousUser,
  bodyDigestOf,
  type ConversationKey,
  conversationKeyOf,
  failure,
  GatewayRequest,
  problemsOf,
  type Result,
  success,
  type TurnId,
  turnIdOf,
} from '@latch/contracts';
import { invalidRequest, type Principal, type Refusal, tenantOf } from '@latch/http';
import { type AcceptedBody, acceptFlatRequest } from './accept-flat-request.ts';
import { checkContractVersion } from './contract-version.ts';
import { type Ingress } from './ingress.ts';
import { speakerOf } from './speaker-of.ts';

/** One user message that may enter: its request with tenant, agent and user filled in, and the ids that follow from it. */
export type Turn = {
  readonly turnId: TurnId;
  readonly conversationKey: ConversationKey;
  readonly tenantId: string;
  readonly agentId: string;
  readonly bodyDigest: string;
  readonly request: GatewayRequest;
};

/** What is known of a caller beside the body. */
export type Caller = {
  readonly principal: Pick<Principal, 'tenantId' | 'userId'>;
  readonly contractHeader: string | undefined;
};

/**
 * Reads a parsed body as a turn: the GatewayRequest contract, its version, and the scope (tenant, agent, channel) that it may speak in. Every problem of the
 * body is reported together, each with its JSON path.
 */
export function readTurn(body: unknown, caller: Caller, config: Ingress['config']): Result<Turn, Refusal> {
  const accepted = acceptFlatRequest(body);
  const parsed = GatewayRequest.safeParse(accepted.body);
  if (!parsed.success) return failure(invalidRequest(problemsOf(parsed.error).map(accepted.tellAt)));
  const request = parsed.data;
  const version = checkContractVersion(caller.contractHeader, request.payload.metadata);
  if (!version.ok) return failure(toldAt(version.error, accepted));
  if (request.payload.message.trim() === '' && !request.payload.inputs) return failure(toldAt(emptyMessage, accepted));
  const tenant = tenantOf(caller.principal, { named: request.tenant_id, byDefault: config.defaultTenantId });
  if (!tenant.ok) return tenant;
  const speaker = speakerOf(caller.principal, request);
  if (!speaker.ok) return failure(toldAt(speaker.error, accepted));
  const agent = agentOf(request, tenant.value, config);
  if (!agent.ok) return agent;
  const userId = speaker.value ?? anonymousUser;
  return success(turnOf(request, { tenantId: tenant.value, agentId: agent.value.agentId, userId }));
}

const emptyMessage = invalidRequest([
  { path: '$.payload.message', message: 'must not be empty unless payload.inputs is given' },
]);

function toldAt(refusal: Refusal, { tellAt }: AcceptedBody): Refusal {
  return { ...refusal, ...(refusal.errors ? { errors: refusal.errors.map(tellAt) } : {}) };
}

/** An agent that serves other tenants only is as unknown as one that does not exist: its name is none of this caller's business. */
function agentOf(request: GatewayRequest, tenantId: string, config: Ingress['config']): Result<AgentConfig, Refusal> {
  const agentId = request.agent_id ?? config.defaultAgentId;
  if (agentId === null) return failure(unknownAgent('is needed: no default agent is configured'));
  const agent = Object.hasOwn(config.agents, agentId) ? config.agents[agentId] : undefined;
  if (!agent?.tenants.includes(tenantId)) return failure(unknownAgent('is no agent of this tenant'));
  if (agent.channels.includes(request.channel)) return success(agent);
  const served = agent.channels.join(', ');
  return failure(invalidRequest([{ path: '$.channel', message: `is not served by this agent; it serves ${served}` }]));
}

function unknownAgent(message: string): Refusal {
  return { status: 422, code: 'agent.unknown', errors: [{ path: '$.agent_id', message }] };
}

function turnOf(
  received: GatewayRequest,
  { tenantId, agentId, userId }: { readonly tenantId: string; readonly agentId: string; readonly userId: string },
): Turn {
  const request: GatewayRequest = {
    ...received,
    tenant_id: tenantId,
    agent_id: agentId,
    payload: { ...received.payload, user_id: userId },
  };
  const { session_id, message_id } = request.payload;
  const conversationKey = conversationKeyOf({ tenant_id: tenantId, agent_id: agentId, session_id });
  const turnId = turnIdOf({ conversationKey, channel: request.channel, userId, messageId: message_id });
  return { turnId, conversationKey, tenantId, agentId, bodyDigest: bodyDigestOf(request), request };
}
