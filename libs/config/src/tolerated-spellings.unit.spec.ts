import { describe, expect, it } from '@jest/globals';
import { problemsWith, readWith, toolWith } from './config-folder.features.ts';

const toolHead = 'tools:\n  cancelar:\n    mcp_server: contas\n    tool_type: action\n';

describe('a key with several spellings', () => {
  it('names the server as server or mcp_server', async () => {
    for (const key of ['server', 'mcp_server']) {
      expect((await toolWith({ 'tools.yaml': `tools:\n  cancelar:\n    ${key}: contas\n` })).server).toBe('contas');
    }
  });

  it('asks for a confirmation as confirmation_required, requires_confirmation or require_confirmation, in both files', async () => {
    for (const key of ['confirmation_required', 'requires_confirmation', 'require_confirmation']) {
      expect((await toolWith({ 'tools.yaml': `${toolHead}    ${key}: false\n` })).requiresConfirmation).toBe(false);
      const policies = `tool_policies:\n  cancelar:\n    ${key}: false\n`;
      expect((await toolWith({ 'tool_policies.yaml': policies })).requiresConfirmation).toBe(false);
    }
  });

  it('reports two spellings that contradict each other, and lets two that agree pass', async () => {
    const both = (second: string): string =>
      `${toolHead}    confirmation_required: true\n    require_confirmation: ${second}\n`;
    expect(await problemsWith({ 'tools.yaml': both('true') })).toEqual([]);
    expect(await problemsWith({ 'tools.yaml': both('false') })).toEqual([
      'tools.yaml:5:28 error tools.cancelar.confirmation_required says the opposite of require_confirmation. Keep one of the two.',
    ]);
  });

  it('reads args_schema in short and long form side by side', async () => {
    const tool = await toolWith({
      'tools.yaml': `${toolHead}    args_schema:\n      subject: string\n      valor: { type: money, minimum: 0.01 }\n      dia: date\n      ids: list\n`,
    });
    expect(tool.parameters).toMatchObject({
      subject: { type: 'string', format: null },
      valor: { type: 'number', format: 'money', minimum: 0.01 },
      dia: { type: 'string', format: 'date' },
      ids: { type: 'array' },
    });
  });

  it('reads intents as a list and as a map, with route or agent', async () => {
    const list = 'intents:\n  - intent: cancel\n    agent: vas\n    tool: cancelar\n    keywords: [x]\n';
    const map = 'intents:\n  cancel:\n    route: vas\n    mcp_tools: [cancelar]\n    keywords: [x]\n';
    for (const routing of [list, map]) {
      const { config, problems } = await readWith({ 'routing.yaml': routing });
      expect(problems).toEqual([]);
      expect(config?.agents['contas']?.intents).toEqual([
        { intent: 'cancel', route: 'vas', tool: 'cancelar', keywords: ['x'], examples: [], reply: null },
      ]);
    }
  });

  it('reads agents as a list and as a map', async () => {
    const list = await readWith({ 'agents.yaml': 'agents:\n  - id: contas\n    locale: es\n    intents: [cancel]\n' });
    const map = await readWith({ 'agents.yaml': 'agents:\n  contas:\n    locale: es\n    intents: [cancel]\n' });
    expect(list.config?.agents['contas']).toEqual(map.config?.agents['contas']);
    expect(list.config?.digest).toBe(map.config?.digest);
  });

  it('reads servers under servers or mcp_servers', async () => {
    const files = { 'mcp_servers.yaml': 'mcp_servers:\n  contas:\n    url: http://127.0.0.1:1/mcp\n' };
    expect((await readWith(files)).config?.servers['contas']?.url).toBe('http://127.0.0.1:1/mcp');
  });
});

describe('requirements and policies from both files', () => {
  it('joins the requirements, the policy first, and adds arguments marked as required', async () => {
    const tool = await toolWith({
      'tools.yaml': `${toolHead}    requires: [b, a]\n    args_schema:\n      a: string\n      b: string\n      c: { type: string, required: true }\n`,
      'tool_policies.yaml': 'tool_policies:\n  cancelar:\n    requires: [a]\n',
    });
    expect(tool.requires).toEqual(['a', 'b', 'c']);
  });

  it('lets the policy win over what the tool says', async () => {
    const tool = await toolWith({
      'tools.yaml': `${toolHead}    confirmation_required: false\n    timeout_ms: 1\n`,
      'tool_policies.yaml':
        'tool_policies:\n  cancelar:\n    operation_type: conversational\n    require_confirmation: true\n    timeout_ms: 2\n',
    });
    expect(tool).toMatchObject({ operationType: 'conversational', requiresConfirmation: true, timeoutMs: 2 });
  });

  it('asks before a transactional tool that has no policy, whatever the defaults for reads say', async () => {
    const tool = await toolWith({ 'tool_policies.yaml': 'defaults:\n  require_confirmation: false\n' });
    expect(tool).toMatchObject({ operationType: 'transactional', requiresConfirmation: true });
  });

  it('turns a confirmation off where the tool itself says so', async () => {
    const tool = await toolWith({
      'tool_policies.yaml': 'tool_policies:\n  cancelar:\n    require_confirmation: false\n',
    });
    expect(tool.requiresConfirmation).toBe(false);
  });

  it('takes the operator declarations, and safe values where there are none', async () => {
    expect(await toolWith({})).toMatchObject({
      declaredIdempotent: false,
      reconcileTool: null,
      timeoutMs: 10_000,
      maxAttempts: 3,
    });
    const tool = await toolWith({
      'tools.yaml': `${toolHead}  perguntar:\n    mcp_server: contas\n`,
      'tool_policies.yaml':
        'tool_policies:\n  cancelar:\n    idempotent: true\n    reconcile_tool: perguntar\n    max_attempts: 5\n',
    });
    expect(tool).toMatchObject({ declaredIdempotent: true, reconcileTool: 'perguntar', maxAttempts: 5 });
  });

  it('ignores a pre-validation that is switched off', async () => {
    const policies = 'tool_policies:\n  cancelar:\n    pre_validation: { enabled: false, tool: nada }\n';
    expect((await toolWith({ 'tool_policies.yaml': policies })).preValidation).toBeNull();
  });

  it('gives mapping defaults only to tools that declare the argument', async () => {
    const tool = await toolWith({
      'mcp_parameter_mapping.yaml':
        'defaults: { use_mock: false, subject: nada }\ntools:\n  cancelar:\n    idempotency_argument: request_id\n',
    });
    expect(tool.mapping).toEqual({ map: {}, defaults: { subject: 'nada' }, idempotencyArgument: 'request_id' });
  });
});

describe('the files of one agent', () => {
  const override = { 'agents/contas/tool_policies.yaml': 'tool_policies:\n  cancelar:\n    timeout_ms: 77\n' };

  it('lie over the shared files, key by key', async () => {
    const { config } = await readWith({
      ...override,
      'tool_policies.yaml': 'tool_policies:\n  cancelar:\n    timeout_ms: 5\n    max_attempts: 9\n',
      'agents.yaml': 'agents:\n  contas: { intents: [cancel] }\n  other: { intents: [cancel] }\n',
    });
    expect(config?.agents['contas']?.tools['cancelar']).toMatchObject({ timeoutMs: 77, maxAttempts: 9 });
    expect(config?.agents['other']?.tools['cancelar']).toMatchObject({ timeoutMs: 5, maxAttempts: 9 });
  });

  it('change the digest of that agent only', async () => {
    const agents = 'agents:\n  contas: { intents: [cancel] }\n  other: { intents: [cancel] }\n';
    const before = (await readWith({ 'agents.yaml': agents })).config;
    const after = (await readWith({ 'agents.yaml': agents, ...override })).config;
    expect(after?.agents['contas']?.digest).not.toBe(before?.agents['contas']?.digest);
    expect(after?.agents['other']?.digest).toBe(before?.agents['other']?.digest);
    expect(after?.digest).not.toBe(before?.digest);
  });

  it('may bring a tool and an intent of its own, which replaces the shared one of that name', async () => {
    const { config } = await readWith({
      'agents/contas/tools.yaml': 'tools:\n  suspender:\n    mcp_server: contas\n',
      'agents/contas/routing.yaml': 'intents:\n  - name: cancel\n    tool: suspender\n    keywords: [suspender]\n',
    });
    expect(config?.agents['contas']?.intents).toMatchObject([{ intent: 'cancel', tool: 'suspender' }]);
    expect(Object.keys(config?.agents['contas']?.tools ?? {})).toEqual(['suspender']);
  });

  it('are checked like the shared ones, at their own place', async () => {
    const files = { 'agents/contas/tool_policies.yaml': 'tool_policies:\n  cancelar:\n    requires: [sujeito]\n' };
    expect(await problemsWith(files)).toEqual([
      expect.stringMatching(
        /^agents\/contas\/tool_policies.yaml:3:16 error No parameter "sujeito" is declared in args_schema of cancelar\./,
      ),
    ]);
  });
});
