import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from '@jest/globals';
import { type AgentConfig } from '@latch/contracts';
import { platformIn } from './sample-platform.features.ts';

/** What a platform team writes about the one agent `loja` and its tool `fazer`: whole files, or for `tools` and `agents` the keys of their only entry. */
export type ConfigFiles = {
  readonly tools?: string;
  readonly policies?: string;
  readonly mapping?: string;
  readonly identity?: string;
  readonly agents?: string;
  readonly routing?: string;
};

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

const routing = `intents:
  - { name: fazer, tool: fazer, keywords: [fazer], examples: ['quero fazer'] }
`;

/** The agent that comes of these files, read as the services read them. */
export async function configuredAgent(files: ConfigFiles): Promise<AgentConfig> {
  const folder = mkdtempSync(path.join(tmpdir(), 'latch-semantics-'));
  folders.push(folder);
  const written: Readonly<Record<string, string | undefined>> = {
    'agents.yaml': `agents:\n  - agent_id: loja\n${files.agents ?? ''}`,
    'routing.yaml': files.routing ?? routing,
    'tools.yaml': `tools:\n  fazer:\n    mcp_server: s\n${files.tools ?? ''}`,
    'mcp_servers.yaml': 'servers:\n  s: { url: http://127.0.0.1:1/mcp }\n',
    'tool_policies.yaml': files.policies,
    'mcp_parameter_mapping.yaml': files.mapping,
    'identity.yaml': files.identity,
  };
  for (const [name, text] of Object.entries(written)) {
    if (text !== undefined) writeFileSync(path.join(folder, name), text);
  }
  const { agents } = await platformIn(folder);
  const agent = agents['loja'];
  if (agent === undefined) throw new Error('the agent is gone');
  return agent;
}
