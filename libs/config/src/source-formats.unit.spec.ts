import { describe, expect, it } from '@jest/globals';
import { problemsWith, readWith, toolWith } from './config-folder.features.ts';

/** Routing and agents around the tools of the source documents, which show neither. */
function around(tool: string): Record<string, string> {
  return { 'routing.yaml': `intents:\n  - name: cancel\n    tool: ${tool}\n    keywords: [cancelar]\n` };
}

const validator = (name: string): string => `  ${name}:\n    mcp_server: contas\n    tool_type: internal\n`;

const section1PatternA = `tools:
  cancelar_vas_avulso:
    description: Cancela um ou mais serviços VAS.
    mcp_server: contas
    enabled: true
    tool_type: action
    args_schema:
      subject:
        type: string
        label: o serviço ou os serviços
        description: Serviço ou expressão com um ou mais serviços a cancelar.
`;

const section1PatternB = `tools:
  cancelar_produtos:
    description: Cancela um ou mais produtos do cliente.
    mcp_server: contas
    enabled: true
    tool_type: action
    args_schema:
      items:
        type: array
        label: os produtos
        description: Lista de produtos que o cliente deseja cancelar.
`;

const section2 = `version: 1
defaults:
  operation_type: read_only
  require_confirmation: false

tool_policies:
  cancelar_vas_avulso:
    operation_type: transactional
    require_confirmation: true
    requires:
      - subject
    pre_validation:
      enabled: true
      tool: validar_vas_subject
      fail_open: false
`;

describe('MCP multi-item developer guide (seeds/000)', () => {
  it('section 1, pattern A: reads a scalar argument that may stand for several items', async () => {
    const tool = await toolWith(
      { ...around('cancelar_vas_avulso'), 'tools.yaml': section1PatternA },
      'cancelar_vas_avulso',
    );
    expect(tool).toMatchObject({
      description: 'Cancela um ou mais serviços VAS.',
      server: 'contas',
      enabled: true,
      operationType: 'transactional',
      requiresConfirmation: true,
      parameters: { subject: { name: 'subject', type: 'string', label: 'o serviço ou os serviços', pattern: null } },
    });
  });

  it('section 1, pattern B: reads an explicit collection', async () => {
    const tool = await toolWith(
      { ...around('cancelar_produtos'), 'tools.yaml': section1PatternB },
      'cancelar_produtos',
    );
    expect(tool.parameters['items']).toMatchObject({ type: 'array', label: 'os produtos' });
  });

  it('section 2: reads the policy of the Contas agent without any syntax for several items', async () => {
    const files = {
      ...around('cancelar_vas_avulso'),
      'tools.yaml': section1PatternA + validator('validar_vas_subject'),
      'tool_policies.yaml': section2,
    };
    expect(await problemsWith(files)).toEqual([]);
    expect(await toolWith(files, 'cancelar_vas_avulso')).toMatchObject({
      operationType: 'transactional',
      requiresConfirmation: true,
      requires: ['subject'],
      preValidation: { tool: 'validar_vas_subject', failOpen: false },
    });
  });

  it('section 2: the defaults hold for a tool without a policy', async () => {
    const files = {
      'tools.yaml': 'tools:\n  cancelar:\n    mcp_server: contas\n    args_schema:\n      subject: string\n',
      'tool_policies.yaml': 'version: 1\ndefaults:\n  operation_type: read_only\n  require_confirmation: false\n',
    };
    expect(await toolWith(files)).toMatchObject({ operationType: 'read_only', requiresConfirmation: false });
  });

  it('section 8: reads the complete scalar example', async () => {
    const files = {
      ...around('cancelar_vas_avulso'),
      'tools.yaml': `tools:
  cancelar_vas_avulso:
    description: Cancela um ou mais VAS.
    mcp_server: contas
    enabled: true
    tool_type: action
    args_schema:
      subject:
        type: string
${validator('validar_vas_subject')}`,
      'tool_policies.yaml': section2.slice(section2.indexOf('tool_policies:')),
    };
    const tool = await toolWith(files, 'cancelar_vas_avulso');
    expect(tool.parameters['subject']).toMatchObject({ type: 'string', label: 'subject', userPrompt: null });
    expect(tool.preValidation).toEqual({ tool: 'validar_vas_subject', failOpen: false });
  });

  it('section 9: reads an array without anything else', async () => {
    const tools =
      'tools:\n  cancelar:\n    mcp_server: contas\n    args_schema:\n      order_ids:\n        type: array\n';
    expect((await toolWith({ 'tools.yaml': tools })).parameters['order_ids']).toMatchObject({ type: 'array' });
  });

  it('section 10: reads each kind of operation', async () => {
    for (const kind of ['read_only', 'conversational', 'transactional', 'internal']) {
      const policies = `tool_policies:\n  cancelar:\n    operation_type: ${kind}\n`;
      expect((await toolWith({ 'tool_policies.yaml': policies })).operationType).toBe(kind);
    }
  });
});

describe('Multi-item capability (seeds/001)', () => {
  const tools = `tools:
  cancelar_produtos:
    description: Cancela um ou mais produtos.
    mcp_server: contas
    enabled: true
    tool_type: action
    confirmation_required: true
    requires: [items]
    args_schema:
      items:
        type: array
        label: os produtos
        description: Produtos solicitados pelo cliente.
        user_prompt: Informe quais produtos deseja cancelar.
`;
  const policies = `tool_policies:
  cancelar_produtos:
    operation_type: transactional
    require_confirmation: true
    requires: [items]
    pre_validation:
      enabled: true
      tool: validar_produtos_cancelamento
      fail_open: false
`;

  it('minimal configuration, tools.yaml: the requirements and the confirmation may stand with the tool', async () => {
    const tool = await toolWith({ ...around('cancelar_produtos'), 'tools.yaml': tools }, 'cancelar_produtos');
    expect(tool).toMatchObject({ requires: ['items'], requiresConfirmation: true, operationType: 'transactional' });
    expect(tool.parameters['items']?.userPrompt).toBe('Informe quais produtos deseja cancelar.');
  });

  it('minimal configuration, tool_policies.yaml: both files together say each requirement once', async () => {
    const files = {
      ...around('cancelar_produtos'),
      'tools.yaml': tools + validator('validar_produtos_cancelamento'),
      'tool_policies.yaml': policies,
    };
    expect(await problemsWith(files)).toEqual([]);
    expect((await toolWith(files, 'cancelar_produtos')).requires).toEqual(['items']);
  });

  it('"não existe / não é necessário": the invented keys are warned about and change nothing', async () => {
    const invented = tools.replace(
      '    requires: [items]\n',
      '    requires: [items]\n    multi_item: true\n    multi_item_strategy: partial\n    fan_out: framework\n',
    );
    const found = await problemsWith({ ...around('cancelar_produtos'), 'tools.yaml': invented });
    expect(found.map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
      'tools.yaml:9:5 warning tools.cancelar_produtos.multi_item',
      'tools.yaml:10:5 warning tools.cancelar_produtos.multi_item_strategy',
      'tools.yaml:11:5 warning tools.cancelar_produtos.fan_out',
    ]);
  });
});

describe('SPEC-012 canonical contracts (seeds/003)', () => {
  const mapping = `tools:
  consultar_fatura:
    map:
      customer_key: msisdn
      contract_key: invoice_id
      interaction_key: ura_call_id
      session_key: session_id
`;
  const tools = `tools:
  consultar_fatura:
    mcp_server: contas
    args_schema: { msisdn: string, invoice_id: string, ura_call_id: string, session_id: string }
`;
  const map = {
    customer_key: 'msisdn',
    contract_key: 'invoice_id',
    interaction_key: 'ura_call_id',
    session_key: 'session_id',
  };

  it('section 6.2: reads the mapping of BusinessContext to MCP arguments', async () => {
    const files = { ...around('consultar_fatura'), 'tools.yaml': tools, 'mcp_parameter_mapping.yaml': mapping };
    expect(await problemsWith(files)).toEqual([]);
    expect((await toolWith(files, 'consultar_fatura')).mapping.map).toEqual(map);
  });

  it('section 6.2: reads the same under the root key of the ancestor', async () => {
    const rooted = `mcp_parameter_mapping:\n${mapping.replaceAll(/^/gm, '  ')}`;
    const files = { ...around('consultar_fatura'), 'tools.yaml': tools, 'mcp_parameter_mapping.yaml': rooted };
    expect((await toolWith(files, 'consultar_fatura')).mapping.map).toEqual(map);
  });

  it('section 6.2: never sends an argument that the tool does not declare, and says so', async () => {
    const narrow =
      'tools:\n  consultar_fatura:\n    mcp_server: contas\n    args_schema: { msisdn: string, invoice_id: string }\n';
    const files = { ...around('consultar_fatura'), 'tools.yaml': narrow, 'mcp_parameter_mapping.yaml': mapping };
    expect((await toolWith(files, 'consultar_fatura')).mapping.map).toEqual({
      customer_key: 'msisdn',
      contract_key: 'invoice_id',
    });
    expect(await problemsWith(files)).toEqual([
      expect.stringMatching(
        /^mcp_parameter_mapping.yaml:6:24 warning "ura_call_id" is not in the args_schema of consultar_fatura/,
      ),
      expect.stringMatching(/^mcp_parameter_mapping.yaml:7:20 warning "session_id" is not in the args_schema/),
    ]);
  });
});

describe('the formats of the Python ancestor', () => {
  it('agents as a list with paths and metadata, intents with domain, agent and several mcp_tools, servers with endpoint', async () => {
    const { config, problems } = await readWith({
      'agents.yaml': `default_agent_id: retail_orders
agents:
  - agent_id: retail_orders
    name: Agente Retail Pedidos
    tools_config_path: ./config/tools.yaml
    metadata: { domain: retail, system_prefix: "..." }
`,
      'routing.yaml': `router: { mode: router }
intents:
  - name: retail_order_cancel
    domain: retail
    agent: orders_agent
    priority: 20
    mcp_tools: [consultar_pedido, cancelar_pedido]
    keywords: [cancelar pedido]
`,
      'tools.yaml': `tools:
  consultar_pedido: { mcp_server: retail, args_schema: { order_id: string }, selection_keywords: [pedido] }
  cancelar_pedido: { mcp_server: retail, tool_type: action, args_schema: { order_id: string } }
`,
      'mcp_servers.yaml':
        'servers:\n  retail: { enabled: true, transport: fastmcp, endpoint: "http://localhost:8002/mcp" }\n',
    });
    const agent = config?.agents['retail_orders'];
    expect(agent?.intents).toEqual([
      expect.objectContaining({ intent: 'retail_order_cancel', route: 'orders_agent', tool: 'cancelar_pedido' }),
    ]);
    expect(Object.keys(agent?.tools ?? {})).toEqual(['consultar_pedido', 'cancelar_pedido']);
    expect(config?.servers['retail']?.url).toBe('http://localhost:8002/mcp');
    expect(problems.map(({ file, line, severity }) => `${file}:${line} ${severity}`)).toEqual([
      'agents.yaml:5 warning',
      'routing.yaml:1 warning',
      'routing.yaml:6 warning',
      'routing.yaml:7 warning',
      'tools.yaml:2 warning',
    ]);
    expect(problems[3]?.message).toContain('starts "cancelar_pedido"');
  });
});

describe('a server over stdio', () => {
  it('is its program, its arguments and the names of what it gets of the environment', async () => {
    const files = { 'mcp_servers.yaml': 'servers:\n  contas: { command: node, args: [a.js, -v], env: [CRM_TOKEN] }\n' };
    const { config } = await readWith(files);
    expect(config?.servers['contas']).toMatchObject({
      url: 'stdio:node',
      process: { command: 'node', args: ['a.js', '-v'], env: ['CRM_TOKEN'] },
    });
  });
});
