import { type AgentConfig } from '@latch/contracts';
import { type Sql } from './database.ts';

/** Keeps configurations under their digest; one that is known is left as it is. */
export async function saveConfigVersions(sql: Sql, agents: readonly AgentConfig[]): Promise<void> {
  if (agents.length === 0) return;
  await sql(
    `INSERT INTO config_versions (digest, agent_id, config)
     SELECT digest, agent_id, config::json FROM unnest($1::text[], $2::text[], $3::text[]) AS i (digest, agent_id, config)
     ORDER BY digest
     ON CONFLICT (digest) DO NOTHING`,
    [
      agents.map(({ digest }) => digest),
      agents.map(({ agentId }) => agentId),
      agents.map((agent) => JSON.stringify(agent)),
    ],
  );
}

/** The configuration of a digest, as it was saved. */
export async function readConfigVersion(sql: Sql, digest: string): Promise<AgentConfig | undefined> {
  const [row] = await sql<{ config: AgentConfig }>(`SELECT config FROM config_versions WHERE digest = $1`, [digest]);
  return row?.config;
}
