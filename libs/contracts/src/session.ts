import { z } from 'zod';
import { personal } from './personal.ts';
import { AgentState } from './agent-state.ts';
import { Instant } from './instant.ts';

/**
 * A technical session: who talks, where and since when.
 *
 * @example { session_id: 'session-001', conversation_key: 'default:telecom_contas:session-001', tenant_id: 'default', ... }
 * @see SPEC-012 section 3
 */
export const Session = z
  .looseObject({
    session_id: z.string().min(1).meta({ description: 'The session of the channel.', examples: ['session-001'] }),
    conversation_key: z.string().min(1).describe('`tenant_id:agent_id:session_id`.'),
    tenant_id: z.string().min(1).describe('The tenant.'),
    agent_id: z.string().min(1).describe('The agent.'),
    channel: z.string().optional().describe('The channel of the first message.'),
    user_id: z.string().optional().describe('Who talks, where the channel tells users apart.').meta(personal),
    started_at: Instant.describe('When the first message came, UTC.'),
    last_seen_at: Instant.describe('When the last message came, UTC.'),
    contract_version: z.string().optional().meta({ description: 'This contract.', examples: ['session-v1'] }),
  })
  .meta({
    description: 'A technical session: who talks, where and since when.',
    'x-source': 'SPEC-012 section 3',
  });
export type Session = z.infer<typeof Session>;

/**
 * The durable state of a conversation at one version: what a restart resumes from.
 *
 * @example { conversation_key: 'default:retail_orders:s-1', version: 7, state_digest: '9f86…', state: { ... }, ... }
 * @see SPEC-012 section 3; seeds/002 section 7
 */
export const Checkpoint = z
  .looseObject({
    conversation_key: z.string().min(1).describe('`tenant_id:agent_id:session_id`.'),
    tenant_id: z.string().min(1).describe('The tenant.'),
    agent_id: z.string().min(1).describe('The agent.'),
    session_id: z.string().min(1).describe('The session of the channel.'),
    version: z.number().int().nonnegative().describe('Number of events folded into `state`.'),
    state_digest: z.string().describe('SHA-256 of the canonical folded state, in hex.'),
    config_digest: z.string().nullish().describe('The agent configuration that the open transaction is pinned to.'),
    state: AgentState,
    updated_at: Instant.describe('When the last event was appended, UTC.'),
    contract_version: z.string().optional().meta({ description: 'This contract.', examples: ['checkpoint-v1'] }),
  })
  .meta({
    description: 'The durable state of a conversation at one version: what a restart resumes from.',
    'x-source': 'SPEC-012 section 3; seeds/002 section 7',
  });
export type Checkpoint = z.infer<typeof Checkpoint>;
