import { describe, expect, it } from '@jest/globals';
import path from 'node:path';
import { problemsWith, readWith, soundFiles, writeFolder } from './config-folder.features.ts';
import { formatProblems } from './config-problem.ts';
import { checkPlatformConfig, loadPlatformConfig } from './load-platform-config.ts';

const tools = soundFiles['tools.yaml'] ?? '';

async function one(files: Readonly<Record<string, string | Uint8Array | null>>): Promise<string> {
  const found = await problemsWith(files);
  expect(found).toHaveLength(1);
  return found[0] ?? '';
}

describe('a tenant', () => {
  it.each(['platform', 'unknown', '*'])(
    "is not called %s: under that name stands what is no tenant's",
    async (name) => {
      const text = (soundFiles['agents.yaml'] ?? '') + '\n';
      const found = await problemsWith({ 'agents.yaml': `default_tenant_id: '${name}'\n${text}` });
      expect(found.join()).toMatch(
        /agents.yaml:1:\d+ error default_tenant_id is a name that Latch keeps for what belongs to no tenant/,
      );
    },
  );
});

describe('a sound folder', () => {
  it('has no problem', async () => {
    expect(await problemsWith({})).toEqual([]);
  });

  it('gives a value that nobody can change', async () => {
    const { config } = await readWith({});
    const tool = config?.agents['contas']?.tools['cancelar'];
    expect(() => Object.assign(tool ?? {}, { requiresConfirmation: false })).toThrow(TypeError);
    expect(Object.isFrozen(config?.agents['contas']?.intents[0]?.keywords)).toBe(true);
  });

  it('has no tools or agents that nobody declared, not even those that every object has', async () => {
    const { config } = await readWith({});
    expect(config?.agents['constructor']).toBeUndefined();
    expect(config?.agents['contas']?.tools['toString']).toBeUndefined();
  });

  it('has digests that do not depend on the order of keys, comments or the machine', async () => {
    const reordered =
      'tools:\n  cancelar:\n    # a comment\n    args_schema: { subject: string }\n    tool_type: action\n    mcp_server: contas\n';
    const [a, b] = [await readWith({}), await readWith({ 'tools.yaml': reordered })];
    expect(a.config?.agents['contas']?.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(a.config?.agents['contas']?.digest).toBe(b.config?.agents['contas']?.digest);
    expect(a.config?.digest).toBe(b.config?.digest);
  });

  it('has another digest where the parameters of a tool are declared in another order, and not where tools are', async () => {
    const declared = (...parameters: string[]): string =>
      `    mcp_server: contas\n    tool_type: action\n    args_schema: { ${parameters.map((name) => `${name}: string`).join(', ')} }\n`;
    const digestWith = async (...named: [tool: string, text: string][]): Promise<string | undefined> => {
      const text = named.map(([tool, body]) => `  ${tool}:\n${body}`).join('');
      return (await readWith({ 'tools.yaml': `tools:\n${text}` })).config?.agents['contas']?.digest;
    };
    const [one, other] = [declared('subject', 'month'), declared('month', 'subject')];
    expect(await digestWith(['cancelar', one])).not.toBe(await digestWith(['cancelar', other]));
    expect(await digestWith(['cancelar', one], ['aviso', one])).toBe(
      await digestWith(['aviso', one], ['cancelar', one]),
    );
  });

  it('keeps the digest of an agent when a server moves, and changes the digest of the whole', async () => {
    const moved = await readWith({ 'mcp_servers.yaml': 'servers:\n  contas:\n    url: http://127.0.0.1:7/mcp\n' });
    const before = await readWith({});
    expect(moved.config?.agents['contas']?.digest).toBe(before.config?.agents['contas']?.digest);
    expect(moved.config?.digest).not.toBe(before.config?.digest);
  });

  it('makes the only agent the default one', async () => {
    expect((await readWith({})).config?.defaultAgentId).toBe('contas');
  });
});

describe('a file that cannot be read as YAML', () => {
  it('is told when it is missing, with what it has to hold', async () => {
    expect(await one({ 'mcp_servers.yaml': null })).toBe(
      'mcp_servers.yaml:1:1 error The file is missing. Create it with the MCP servers, under the key `servers`.',
    );
  });

  it('is told when its name ends wrongly', async () => {
    const found = await problemsWith({ 'tools.yaml': null, 'tools.yml': tools });
    expect(found.join('\n')).toMatch(/tools.yml:1:1 warning .*Rename it to tools.yaml\./);
  });

  it('is told when its name is nearly right', async () => {
    expect(await one({ 'tool_policy.yaml': '' })).toMatch(
      /No part of Latch reads a file of this name\. Did you mean "tool_policies.yaml"\?/,
    );
  });

  it('is told with the line that is not UTF-8', async () => {
    const latin1 = Buffer.from('tools:\n  # cobran\xe7a\n', 'latin1');
    expect(await one({ 'tools.yaml': latin1 })).toMatch(
      /^tools.yaml:2:1 error The file is not UTF-8 text from this line on/,
    );
  });

  it('is told with the line of a tab', async () => {
    expect(await one({ 'tools.yaml': 'tools:\n\tcancelar:\n' })).toMatch(
      /^tools.yaml:2:1 error A tab is used for indentation/,
    );
  });

  it('is told with the second place of a repeated key', async () => {
    expect(await one({ 'tools.yaml': `${tools}    tool_type: query\n` })).toBe(
      'tools.yaml:7:5 error The key "tool_type" stands here a second time. Keep one of the two.',
    );
  });

  it('is told for other mistakes with their place', async () => {
    expect(await one({ 'tools.yaml': 'tools: [\n' })).toMatch(
      /^tools.yaml:\d+:\d+ error The file is not valid YAML here: .*Correct the line\.$/,
    );
    expect(await one({ 'tools.yaml': 'tools: {}\n---\ntools: {}\n' })).toMatch(/more than one YAML document/);
  });

  it('is told when aliases grow out of bounds', async () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [${'*a,'.repeat(20)}]\nc: &c [${'*b,'.repeat(20)}]\ntools: {}\n`;
    expect((await problemsWith({ 'routing.yaml': bomb })).join()).toMatch(
      /routing.yaml:1:1 error The file cannot be used/,
    );
  });

  it('is told when it is too large', async () => {
    expect(await one({ 'tools.yaml': `#${'x'.repeat(1_100_000)}` })).toMatch(/larger than 1048576 bytes/);
  });

  it('is told when it is a folder', async () => {
    expect(await one({ 'tools.yaml': null, 'tools.yaml/x': '' })).toMatch(
      /^tools.yaml:1:1 error The file cannot be read \(EISDIR\)/,
    );
  });

  it('hides no other file: problems of all files come together', async () => {
    const found = await problemsWith({
      'tools.yaml': 'tools: [\n',
      'mcp_servers.yaml': 'servers:\n  a: {}\n',
      'agents.yaml': 'agents: 3\n',
    });
    expect(found.map((line) => line.split(':')[0])).toEqual(['agents.yaml', 'mcp_servers.yaml', 'tools.yaml']);
  });

  it('is told when the whole folder is missing', async () => {
    const { problems } = await checkPlatformConfig(path.join(writeFolder({}), 'nowhere'), {});
    expect(problems).toMatchObject([
      { severity: 'error', message: expect.stringMatching(/is not there\. Set LATCH_CONFIG_DIR/) },
    ]);
  });
});

describe('a value of the wrong kind', () => {
  const cases: [string, string, string][] = [
    [
      'a number for text',
      tools.replace('contas', '12'),
      'tools.yaml:3:17 error tools.cancelar.mcp_server must be text, not the number 12. Put it in quotes: "12".',
    ],
    [
      'yes for a boolean',
      `${tools}    enabled: yes\n`,
      'tools.yaml:7:14 error tools.cancelar.enabled must be true or false, not the text "yes". Write true or false without quotes; YAML 1.2 reads yes and no as text.',
    ],
    [
      'text for a list',
      `${tools}    requires: subject\n`,
      'tools.yaml:7:15 error tools.cancelar.requires must be a list, not the text "subject". Write [subject].',
    ],
    ['a list for a map', 'tools:\n  - cancelar\n', 'tools.yaml:1:1 error tools must be a map, not a list.'],
    [
      'nothing for a list',
      `${tools}    requires:\n`,
      'tools.yaml:7:14 error tools.cancelar.requires must be a list, not empty.',
    ],
    [
      'an unknown choice',
      tools.replace('action', 'acton'),
      'tools.yaml:4:16 error tools.cancelar.tool_type must be one of action, transactional, query, read, read_only, conversational, internal, not the text "acton". Did you mean "action"?',
    ],
    [
      'a number out of bounds',
      `${tools}    max_attempts: 0\n`,
      'tools.yaml:7:19 error tools.cancelar.max_attempts must be at least 1.',
    ],
    [
      'a fraction',
      `${tools}    timeout_ms: 1.5\n`,
      'tools.yaml:7:17 error tools.cancelar.timeout_ms must be a whole number, not the number 1.5.',
    ],
  ];

  it.each(cases)('%s', async (_name, text, message) => {
    expect(await one({ 'tools.yaml': text })).toBe(message);
  });

  it('a cache on anything but a read', async () => {
    expect(await one({ 'tools.yaml': `${tools}    cache: { ttl_seconds: 60 }\n` })).toBe(
      'tools.yaml:7:5 error cancelar is no plain read, and only the answer of one may be given again. Take `cache` out, or set its operation_type to read_only.',
    );
  });

  it('a limit on an argument that is not there', async () => {
    const text = `${tools}    limits: { max_amounts: { valr: 1 } }\n`;
    expect(await one({ 'tools.yaml': text })).toContain('valr');
  });

  it('an unknown type in the short form is told at its place, with the nearest one', async () => {
    expect(await one({ 'tools.yaml': tools.replace('string', 'strng') })).toMatch(
      /^tools.yaml:6:16 error tools.cancelar.args_schema.subject.type must be one of .*not the text "strng"\. Did you mean "string"\?$/,
    );
  });

  it('a pattern that is no regular expression', async () => {
    const text = `${tools.replace('subject: string', "subject: { pattern: '^[A-' }")}`;
    expect(await one({ 'tools.yaml': text })).toMatch(/args_schema.subject.pattern is no regular expression/);
  });

  it('a maximum below the minimum, and a default of another type', async () => {
    expect(await one({ 'tools.yaml': tools.replace('string', '{ type: number, minimum: 5, maximum: 1 }') })).toMatch(
      /maximum must not be below the minimum 5/,
    );
    expect(await one({ 'tools.yaml': tools.replace('string', '{ type: integer, default: muito }') })).toMatch(
      /default must be of the declared type integer/,
    );
  });

  it('an address that is none, holds a password, or speaks another transport', async () => {
    const server = (keys: string): Record<string, string> => ({
      'mcp_servers.yaml': `servers:\n  contas: { ${keys} }\n`,
    });
    expect(await one(server('url: localhost'))).toMatch(
      /servers.contas.url must be an http:\/\/ or https:\/\/ address/,
    );
    expect(await one(server('url: "http://u:p@h/mcp"'))).toMatch(/must hold no user or password/);
    expect(await one(server('url: http://h/mcp, transport: sse'))).toMatch(/transport must be streamable_http/);
    expect(await one(server('enabled: true'))).toMatch(/^mcp_servers.yaml:2:3 error servers.contas.url is missing/);
  });

  it('a server that is half an address and half a program, or that is handed what is not its own', async () => {
    const server = (keys: string): Record<string, string> => ({
      'mcp_servers.yaml': `servers:\n  contas: { ${keys} }\n`,
    });
    expect(await one(server('transport: stdio'))).toMatch(/contas.command is missing. Write the program/);
    expect(await one(server('command: node, url: http://h/mcp'))).toMatch(/contas.url has no meaning beside stdio/);
    expect(await one(server('url: http://h/mcp, args: [a]'))).toMatch(/contas.args is for stdio only/);
    expect(await one(server('command: node, env: [LATCH_DATA_KEY]'))).toMatch(/is a setting of Latch itself/);
    expect(await one(server('command: node, env: ["A=b"]'))).toMatch(/must be the name of an environment variable/);
  });

  it('a time zone that does not exist', async () => {
    const agents = 'agents:\n  - agent_id: contas\n    time_zone: Mars/Olympus\n';
    expect(await one({ 'agents.yaml': agents })).toMatch(
      /^agents.yaml:3:16 error agents\[0\].time_zone is no time zone/,
    );
  });

  it('a name that would break logs and keys', async () => {
    expect((await problemsWith({ 'tools.yaml': 'tools:\n  "a b":\n    mcp_server: contas\n' }))[0]).toMatch(
      /tools.a b is not a usable name/,
    );
  });
});

describe('a key that nobody knows', () => {
  it('is a warning with the nearest known key, and the file is used without it', async () => {
    const { config, problems } = await readWith({ 'tools.yaml': `${tools}    descripton: x\n` });
    expect(problems).toEqual([
      {
        ...{ file: 'tools.yaml', line: 7, column: 5, severity: 'warning' },
        message: 'tools.cancelar.descripton is not a known key and is ignored. Did you mean "description"?',
      },
    ]);
    expect(config?.agents['contas']?.tools['cancelar']?.server).toBe('contas');
  });

  it('is told with all known keys when none is near', async () => {
    expect(await one({ 'tools.yaml': `${tools}zzz: 1\n` })).toMatch(
      /^tools.yaml:7:1 warning zzz is not a known key and is ignored\. Known here: version, tools\.$/,
    );
  });

  it('is told together with the errors of the same file', async () => {
    const found = await problemsWith({ 'tools.yaml': `${tools}    descripton: x\n    enabled: 3\n` });
    expect(found.map((line) => line.split(' ')[1])).toEqual(['warning', 'error']);
  });
});

describe('a name that leads nowhere', () => {
  it('tool -> server', async () => {
    expect(await one({ 'tools.yaml': tools.replace('contas', 'conta') })).toBe(
      'tools.yaml:3:17 error No server "conta" is declared in mcp_servers.yaml. Did you mean "contas"? Declare it there, or correct the name.',
    );
    expect(await one({ 'tools.yaml': tools.replace('    mcp_server: contas\n', '') })).toMatch(
      /tools.yaml:2:3 error The tool cancelar names no server/,
    );
  });

  it('policy -> tool', async () => {
    expect(await one({ 'tool_policies.yaml': 'tool_policies:\n  cancela:\n    require_confirmation: true\n' })).toMatch(
      /^tool_policies.yaml:2:3 error No tool "cancela" is declared in tools.yaml\. Did you mean "cancelar"\?/,
    );
  });

  it('policy -> required parameter', async () => {
    expect(
      await one({ 'tool_policies.yaml': 'tool_policies:\n  cancelar:\n    requires:\n      - sujeito\n' }),
    ).toMatch(/^tool_policies.yaml:4:9 error No parameter "sujeito" is declared in args_schema of cancelar\./);
  });

  it('policy -> validator, which must have no effect', async () => {
    const policy = (tool: string): Record<string, string> => ({
      'tool_policies.yaml': `tool_policies:\n  cancelar:\n    pre_validation:\n      tool: ${tool}\n`,
    });
    expect(await one(policy('validar'))).toMatch(
      /^tool_policies.yaml:4:13 error No tool "validar" is declared in tools.yaml/,
    );
    expect(await one(policy('cancelar'))).toMatch(
      /"cancelar" is transactional, but a pre-validation must have no effect/,
    );
  });

  it('policy -> reconcile tool, which must have no effect', async () => {
    const policy = (tool: string): Record<string, string> => ({
      'tool_policies.yaml': `tool_policies:\n  cancelar:\n    reconcile_tool: ${tool}\n`,
    });
    expect(await one(policy('perguntar'))).toMatch(/^tool_policies.yaml:3:21 error No tool "perguntar"/);
    expect(await one(policy('cancelar'))).toMatch(/but a reconcile tool only asks/);
  });

  it('mapping -> tool, business key and argument', async () => {
    const mapping = (text: string): Record<string, string> => ({ 'mcp_parameter_mapping.yaml': `tools:\n  ${text}\n` });
    expect(await one(mapping('cancela: { map: { customer_key: subject } }'))).toMatch(
      /^mcp_parameter_mapping.yaml:2:3 error No tool "cancela"/,
    );
    expect(await one(mapping('cancelar: { map: { custmer_key: subject } }'))).toMatch(
      /warning "custmer_key" is not a key of the business context.*Did you mean "customer_key"\?/,
    );
    expect(await one(mapping('cancelar: { defaults: { subjct: x } }'))).toMatch(
      /warning "subjct" is not in the args_schema of cancelar.*Did you mean "subject"\?/,
    );
  });

  it('intent -> tool, in each spelling', async () => {
    const routing = (keys: string): Record<string, string> => ({
      'routing.yaml': `intents:\n  - name: cancel\n    keywords: [x]\n    ${keys}\n`,
    });
    expect(await one(routing('tool: cancelr'))).toMatch(
      /^routing.yaml:4:11 error No tool "cancelr" is declared in tools.yaml\. Did you mean "cancelar"\?/,
    );
    expect(await one(routing('mcp_tools: [cancelar, cancelr]'))).toMatch(/^routing.yaml:4:27 error No tool "cancelr"/);
  });

  it('intent -> nothing at all', async () => {
    expect(await one({ 'routing.yaml': 'intents:\n  - name: cancel\n    keywords: [x]\n' })).toMatch(
      /^routing.yaml:2:5 error The intent "cancel" has no tool and no reply/,
    );
    expect(await one({ 'routing.yaml': 'intents:\n  - name: cancel\n    tool: cancelar\n' })).toMatch(
      /warning The intent "cancel" has no keywords and no examples/,
    );
  });

  it('example -> parameter', async () => {
    const routing = 'intents:\n  - name: cancel\n    tool: cancelar\n    examples:\n      - "cancela {subjet}"\n';
    expect(await one({ 'routing.yaml': routing })).toMatch(
      /^routing.yaml:5:9 error \{subjet\} is no parameter of "cancelar"\. Did you mean "subject"\?/,
    );
  });

  it('agent -> intents and tools, default agent -> agent', async () => {
    const agents =
      'default_agent_id: conta\nagents:\n  - agent_id: contas\n    intents: [cancl]\n    tools: [cancelr]\n';
    expect(await problemsWith({ 'agents.yaml': agents })).toEqual([
      expect.stringMatching(/^agents.yaml:1:19 error No agent "conta" is declared in agents\. Did you mean "contas"\?/),
      expect.stringMatching(/^agents.yaml:4:15 error No intent "cancl" is declared in routing.yaml/),
      expect.stringMatching(/^agents.yaml:5:13 error No tool "cancelr" is declared in tools.yaml/),
    ]);
  });

  it('agent folder -> agent', async () => {
    expect(await one({ 'agents/conta/tools.yaml': 'tools: {}\n' })).toMatch(
      /^agents\/conta:1:1 warning agents.yaml has no agent "conta".*Did you mean "contas"\?/,
    );
  });

  it('the same agent or intent twice in a list', async () => {
    const routing = soundFiles['routing.yaml'] ?? '';
    expect(await one({ 'routing.yaml': routing + routing.replace('intents:\n', '') })).toMatch(
      /^routing.yaml:5:5 error The intent "cancel" stands here a second time/,
    );
    expect(await one({ 'agents.yaml': 'agents:\n  - agent_id: contas\n  - agent_id: contas\n' })).toMatch(
      /^agents.yaml:3:5 error The agent "contas" stands here a second time/,
    );
  });

  it('is not told when the file with the names could not be read: one mistake, one problem', async () => {
    expect(await one({ 'mcp_servers.yaml': 'servers: [\n' })).toMatch(/^mcp_servers.yaml/);
    expect(await one({ 'routing.yaml': 'intents: [\n' })).toMatch(/^routing.yaml/);
  });
});

describe('environment variables in the files', () => {
  const server = (url: string): Record<string, string> => ({
    'mcp_servers.yaml': `servers:\n  contas:\n    url: ${url}\n`,
  });

  it('are taken from the environment, or from their default when not set or empty', async () => {
    const files = server('${LATCH_MCP_URL:-http://127.0.0.1:9101/mcp}');
    const urlOf = async (env: Record<string, string>): Promise<string | undefined> =>
      (await readWith(files, env)).config?.servers['contas']?.url;
    expect(await urlOf({})).toBe('http://127.0.0.1:9101/mcp');
    expect(await urlOf({ LATCH_MCP_URL: '' })).toBe('http://127.0.0.1:9101/mcp');
    expect(await urlOf({ LATCH_MCP_URL: 'http://other/mcp' })).toBe('http://other/mcp');
  });

  it('may stand inside a text, several times', async () => {
    const { config } = await readWith(server('http://${HOST}:${PORT:-80}/mcp'), { HOST: 'h' });
    expect(config?.servers['contas']?.url).toBe('http://h:80/mcp');
  });

  it('keep their type where they stand alone and unquoted', async () => {
    const files = { 'tools.yaml': `${tools}    enabled: \${ON:-true}\n    timeout_ms: \${MS}\n` };
    const { config } = await readWith(files, { MS: '250' });
    expect(config?.agents['contas']?.tools['cancelar']).toMatchObject({ enabled: true, timeoutMs: 250 });
  });

  it('are told at their place when they are not set and have no default', async () => {
    expect((await problemsWith(server('${NOWHERE}')))[0]).toMatch(
      /^mcp_servers.yaml:3:10 error The environment variable NOWHERE is not set\. Set it, or write a default: \$\{NOWHERE:-value\}\./,
    );
  });

  it('are told when they are no names, and left alone when escaped', async () => {
    expect((await problemsWith(server('http://h/${1x}')))[0]).toMatch(/is no environment variable/);
    expect((await readWith(server('http://h/$${x}'))).config?.servers['contas']?.url).toBe('http://h/${x}');
  });
});

describe('the result for a program and for a person', () => {
  it('is a failure with warnings too when there is an error', async () => {
    const folder = writeFolder({ 'tools.yaml': `${tools}    enabled: 3\n    zzz: 1\n` });
    const loaded = await loadPlatformConfig(folder, {});
    expect(loaded.ok ? [] : loaded.error.map(({ severity }) => severity)).toEqual(['error', 'warning']);
  });

  it('is a success in spite of warnings', async () => {
    expect((await loadPlatformConfig(writeFolder({ 'tools.yaml': `${tools}    zzz: 1\n` }), {})).ok).toBe(true);
  });

  it('is written with the folder, line and column, and a count', async () => {
    const { problems } = await readWith({ 'tools.yaml': `${tools}    enabled: 3\n    zzz: 1\n` });
    const text = formatProblems(problems, 'deploy/config/');
    expect(text).toMatch(/^deploy\/config\/tools.yaml:7:14: error: tools.cancelar.enabled must be/);
    expect(text).toMatch(/\n1 error, 1 warning$/);
    expect(formatProblems([])).toBe('The configuration has no problems.');
  });

  it('never throws, whatever a file holds', async () => {
    for (const text of [
      '',
      'null',
      '3',
      '- 1',
      '[]',
      '""',
      'tools: null',
      '__proto__: { a: 1 }',
      '? [a]\n: b',
      '{a: *x}',
      '%',
      '&a *a',
    ]) {
      for (const name of Object.keys(soundFiles)) {
        await expect(
          readWith({ [name]: text, 'tool_policies.yaml': text, 'mcp_parameter_mapping.yaml': text }),
        ).resolves.toBeDefined();
      }
    }
  });
});
