import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { problemsWith } from './config-folder.features.ts';
import { authSettings } from './auth-settings.ts';
import { commonSettings, databaseSettings } from './settings.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../../docs/reference/configuration.md'), 'utf8');
const stranger = 'zzzzzzzzzzzzzz';

/** A file with a key that nobody knows at each level: the warnings name the known ones. */
const withStrangers: Readonly<Record<string, string>> = {
  'agents.yaml': `${stranger}: 1\nagents:\n  - agent_id: contas\n    ${stranger}: 1\n`,
  'routing.yaml': `${stranger}: 1\nintents:\n  - name: cancel\n    tool: cancelar\n    keywords: [x]\n    ${stranger}: 1\n`,
  'tools.yaml': `${stranger}: 1\ntools:\n  cancelar:\n    mcp_server: contas\n    ${stranger}: 1\n    args_schema:\n      subject: { ${stranger}: 1 }\n`,
  'tool_policies.yaml': `${stranger}: 1\ntool_policies:\n  cancelar:\n    ${stranger}: 1\n    pre_validation: { enabled: false, ${stranger}: 1 }\n    execution: { ${stranger}: 1 }\n`,
  'mcp_parameter_mapping.yaml': `${stranger}: 1\ntools:\n  cancelar: { ${stranger}: 1, extract: { subject: { strategy: trim, ${stranger}: 1 } } }\n`,
  'workflows.yaml': `${stranger}: 1\nworkflows:\n  cancelar:\n    ${stranger}: 1\n    edges: [{ from: a, to: END, ${stranger}: 1 }]\n    steps: [{ id: a, tool: cancelar, ${stranger}: 1 }]\n`,
  'mcp_servers.yaml': `${stranger}: 1\nservers:\n  contas: { url: "http://h/mcp", ${stranger}: 1, breaker: { ${stranger}: 1 } }\n`,
};
const levels = {
  'agents.yaml': 2,
  'routing.yaml': 2,
  'tools.yaml': 3,
  'tool_policies.yaml': 4,
  'mcp_parameter_mapping.yaml': 3,
  'workflows.yaml': 4,
  'mcp_servers.yaml': 3,
};

describe('docs/reference/configuration.md', () => {
  it.each(Object.entries(levels))('names every key of %s, at each of its %i levels', async (file, count) => {
    const warnings = (await problemsWith(withStrangers)).filter((line) => line.startsWith(file));
    expect(warnings).toHaveLength(count);
    const known = warnings.flatMap((line) => /Known here: (.*)\.$/.exec(line)?.[1]?.split(', ') ?? []);
    const undocumented = known.filter((key) => !new RegExp(`[\`.\\]]${key}[\`.]`).test(page));
    expect(undocumented).toEqual([]);
  });

  it('names every strategy of extract', async () => {
    const mapping = 'tools:\n  cancelar: { extract: { subject: nothing } }\n';
    const [problem = ''] = await problemsWith({ 'mcp_parameter_mapping.yaml': mapping });
    const strategies = /must be one of (.*?), not/.exec(problem)?.[1]?.split(', ') ?? [];
    expect(strategies).toHaveLength(14);
    expect(strategies.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('names every environment variable that services share', () => {
    const names = Object.keys({ ...commonSettings.shape, ...databaseSettings.shape, ...authSettings.shape });
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});
