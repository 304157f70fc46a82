import { z } from 'zod';
import { AgentState } from './agent-state.ts';
import { Instant } from './instant.ts';

/** A technical session: who talks, where and since when (SPEC-012 section 3). */
export const Session = z.looseObject({
  session_id: z.string().min(1),
  conversation_key: z.string().min(1),
  tenant_id: z.string().min(1),
  agent_id: z.string().min(1),
  channel: z.string().optional(),
  user_id: z.string().optional(),
  started_at: Instant,
  last_seen_at: Instant,
  contract_version: z.string().optional(),
});
export type Session = z.infer<typeof Session>;

/** The durable state of a conversation at one version: what a restart resumes from (SPEC-012 section 3, seeds/002 section 7). */
export const Checkpoint = z.looseObject({
  conversation_key: z.string().min(1),
  tenant_id: z.string().min(1),
  agent_id: z.string().min(1),
  session_id: z.string().min(1),
  /** Number of events folded into `state`. */
  version: z.number().int().nonnegative(),
  /** SHA-256 of the canonical folded state. */
  state_digest: z.string(),
  config_digest: z.string().nullish(),
  state: AgentState,
  updated_at: Instant,
  contract_version: z.string().optional(),
});
export type Checkpoint = z.infer<typeof Checkpoint>;
