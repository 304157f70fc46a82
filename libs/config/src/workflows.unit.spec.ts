import { describe, expect, it } from '@jest/globals';
import { problemsWith, readWith, toolWith } from './config-folder.features.ts';

const tools = `tools:
  cancelar:
    tool_type: action
    args_schema: { subject: string, pedidos: array }
  buscar:
    mcp_server: contas
    tool_type: query
    args_schema: { subject: string }
    requires: [subject]
  cancelar_um:
    mcp_server: contas
    tool_type: action
    idempotent: true
    args_schema: { pedido: string, motivo: string }
    requires: [pedido]
  avisar:
    mcp_server: contas
    tool_type: action
    idempotent: true
    args_schema: { texto: string }
`;

const sound = `workflows:
  cancelar:
    steps:
      - id: busca
        tool: buscar
        arguments: { subject: $.arguments.subject }
      - id: cancela
        tool: cancelar_um
        primary: true
        for_each: $.steps.busca.pedidos
        max_parallel: 2
        arguments: { pedido: $.item.id, motivo: pedido do cliente }
      - id: aviso
        tool: avisar
        on_error: continue
        arguments: { texto: $$.done }
`;

const files = { 'tools.yaml': tools, 'workflows.yaml': sound };

/** The sound workflow with one line of it, counted from 1, in other words. */
function withLine(line: number, text: string): Readonly<Record<string, string>> {
  const lines = sound.split('\n');
  return { ...files, 'workflows.yaml': lines.map((old, at) => (at === line - 1 ? text : old)).join('\n') };
}

describe('workflows.yaml', () => {
  it('runs the tool of its name as ordered steps with one primary', async () => {
    expect((await toolWith(files)).workflow).toEqual({
      name: 'cancelar',
      primary: 'cancela',
      steps: [
        {
          id: 'busca',
          tool: 'buscar',
          arguments: { subject: '$.arguments.subject' },
          onError: 'stop',
          forEach: null,
          maxParallel: 4,
        },
        {
          id: 'cancela',
          tool: 'cancelar_um',
          arguments: { pedido: '$.item.id', motivo: 'pedido do cliente' },
          onError: 'stop',
          forEach: '$.steps.busca.pedidos',
          maxParallel: 2,
        },
        {
          id: 'aviso',
          tool: 'avisar',
          arguments: { texto: '$$.done' },
          onError: 'continue',
          forEach: null,
          maxParallel: 4,
        },
      ],
    });
  });

  it('has no problem, and the tool needs no server of its own: its steps have theirs', async () => {
    expect(await problemsWith(files)).toEqual([]);
    expect(await toolWith(files)).toMatchObject({ server: 'contas', operationType: 'transactional' });
  });

  it('gives the agent the tools of its steps, and no other', async () => {
    const { config } = await readWith(files);
    expect(Object.keys(config?.agents['contas']?.tools ?? {})).toEqual(['cancelar', 'buscar', 'cancelar_um', 'avisar']);
  });

  it('makes the tool repeatable only when every step with an effect is', async () => {
    expect((await toolWith(files)).declaredIdempotent).toBe(true);
    const harmful = {
      ...files,
      'tools.yaml': tools.replace('    idempotent: true\n    args_schema: { texto', '    args_schema: { texto'),
    };
    expect((await toolWith(harmful)).declaredIdempotent).toBe(false);
  });

  it('reads the spellings of the ancestor', async () => {
    const ancestor = `workflows:
  devolucao:
    name: devolucao
    version: 1
    start: validar
    nodes:
      - id: validar
        action: buscar
        input: { subject: $.input.subject }
      - id: registrar
        action: cancelar_um
        primary: true
        input: { pedido: $.nodes.validar.order_id }
    edges:
      - { from: validar, to: registrar }
      - { from: registrar, to: END }
`;
    const policies = `tool_policies:
  cancelar:
    execution: { mode: workflow, workflow: devolucao, version: active }
`;
    const ancestral = { 'tools.yaml': tools, 'workflows.yaml': ancestor, 'tool_policies.yaml': policies };
    expect(await problemsWith(ancestral)).toEqual([]);
    expect((await toolWith(ancestral)).workflow).toMatchObject({
      name: 'devolucao',
      primary: 'registrar',
      steps: [
        { id: 'validar', tool: 'buscar', arguments: { subject: '$.arguments.subject' } },
        { id: 'registrar', arguments: { pedido: '$.steps.validar.order_id' } },
      ],
    });
  });

  it('lets a workflow name its tool, and a policy keep a tool from its workflow', async () => {
    const named = { ...files, 'workflows.yaml': sound.replace('  cancelar:\n', '  fluxo:\n    tool: cancelar\n') };
    expect((await toolWith(named)).workflow?.name).toBe('fluxo');
    const direct = {
      'tools.yaml': tools.replace('    tool_type: action\n', '    mcp_server: contas\n    tool_type: action\n'),
      'workflows.yaml': sound,
      'tool_policies.yaml': 'tool_policies:\n  cancelar:\n    execution: { mode: direct }\n',
    };
    expect(await toolWith(direct)).not.toHaveProperty('workflow');
  });

  it('lets a step call the server tool that has the name of the workflow tool', async () => {
    const own = `workflows:
  cancelar:
    steps:
      - id: cancela
        tool: cancelar
        arguments: { subject: $.arguments.subject }
`;
    const served = tools.replace('    tool_type: action\n', '    mcp_server: contas\n    tool_type: action\n');
    expect(await problemsWith({ 'tools.yaml': served, 'workflows.yaml': own })).toEqual([]);
    expect(await problemsWith({ 'tools.yaml': tools, 'workflows.yaml': own })).toEqual([
      expect.stringMatching(/^tools.yaml:2:3 error The tool cancelar names no server/),
    ]);
  });

  it('is laid over by the workflow of the same name of an agent', async () => {
    const own = sound.replace('max_parallel: 2', 'max_parallel: 1');
    const { config, problems } = await readWith({ ...files, 'agents/contas/workflows.yaml': own });
    expect(problems).toEqual([]);
    expect(config?.agents['contas']?.tools['cancelar']?.workflow?.steps[1]?.maxParallel).toBe(1);
  });
});

describe('a mistake in workflows.yaml', () => {
  it.each([
    [5, '        tool: busca', /5:15 error No tool "busca" is declared in tools.yaml. Did you mean "buscar"/],
    [5, '        tool: ', /error .*tool/],
    [8, '        tool: cancelar_dois', /8:15 error No tool "cancelar_dois"/],
    [9, '        primary: false', /2:3 error No step of the workflow "cancelar" is the primary one/],
    [15, '        primary: true', /15:18 error The workflow "cancelar" has a second primary step/],
    [7, '      - id: busca', /7:13 error The step "busca" stands here a second time/],
    [7, '      - id: a.b', /7:13 error .*is not a usable name of a step/],
    [
      10,
      '        for_each: $.steps.aviso.x',
      /10:19 error \$\.steps\.aviso\.x goes in a circle: the step "aviso" runs later/,
    ],
    [10, '        for_each: $.steps.cancela.x', /10:19 error .*goes in a circle: the step needs its own output/],
    [10, '        for_each: $.steps.busco.x', /10:19 error .*there is no step "busco". Did you mean "busca"/],
    [10, '        for_each: $.item.x', /10:19 error \$\.item is one entry of the list/],
    [10, '        for_each: pedidos', /10:19 error .*must be a path such as/],
    [
      6,
      '        arguments: { subject: $.arguments.sbject }',
      /6:31 error .*not in the args_schema of cancelar. Did you mean "subject"/,
    ],
    [6, '        arguments: { subject: $.argument.subject }', /6:31 error .*leads nowhere. Did you mean "arguments"/],
    [
      6,
      '        arguments: { subject: [{ a: $.item }] }',
      /6:22 error \$\.item has a value only in a step with for_each/,
    ],
    [
      6,
      '        arguments: { subjet: x, subject: y }',
      /6:22 error "subjet" is not in the args_schema of buscar. Did you mean "subject"/,
    ],
    [6, '        arguments: {}', /6:9 error buscar cannot run without "subject"/],
    [15, '        on_error: compensate', /15:19 error .*must be stop or continue/],
    [11, '        max_parallel: 65', /11:23 error .*must be at most 64/],
    [2, '  fluxo:\n    tool: cancela', /3:11 error No tool "cancela"/],
    [3, '    start: aviso\n    steps:', /3:12 error The workflow begins with its first step "busca"/],
    [3, '    edges: [{ from: busca, to: aviso }]\n    steps:', /3:\d+ error Steps run in the order of the list/],
    [
      3,
      '    edges: [{ from: busca, to: cancela, when: { path: $.x, equals: true } }]\n    steps:',
      /error Edges with a condition are not run/,
    ],
  ])('is an error at its place (line %i: %s)', async (line, text, message) => {
    const problems = (await problemsWith(withLine(line, text))).filter((problem) => problem.includes(' error '));
    expect(problems.find((problem) => message.test(problem)) ?? problems).toMatch(message);
  });

  it('is a warning where it only has no effect', async () => {
    expect(await problemsWith(withLine(11, '        retry: 3'))).toEqual([
      expect.stringMatching(/^workflows.yaml:11:9 warning .*key of the Python platform that has no effect/),
    ]);
    const idle = {
      ...files,
      'workflows.yaml': `${sound}  parado:\n    steps: [{ id: a, tool: buscar, arguments: { subject: x } }]\n`,
    };
    expect(await problemsWith(idle)).toEqual([
      expect.stringMatching(/workflows.yaml:17:3 warning No tool is run as the workflow "parado"/),
    ]);
  });

  it.each([
    [
      'an effect behind a read',
      { 'tools.yaml': tools.replace('tool_type: action', 'tool_type: query') },
      /8:15 error "cancelar_um" is transactional, but "cancelar" is read_only/,
    ],
    [
      'a confirmation that nobody asks for',
      { 'tool_policies.yaml': 'tool_policies:\n  cancelar: { require_confirmation: false }\n' },
      /8:15 error "cancelar_um" needs a confirmation, but "cancelar" never asks/,
    ],
    [
      'a promise that a step does not keep',
      { 'tool_policies.yaml': 'tool_policies:\n  cancelar: { idempotent: true }\n  avisar: { idempotent: false }\n' },
      /14:15 error "cancelar" is declared idempotent, but its step "avisar" is not/,
    ],
    [
      'a step that is switched off',
      { 'tools.yaml': tools.replace('  avisar:\n', '  avisar:\n    enabled: false\n') },
      /14:15 error "avisar" is switched off/,
    ],
    [
      'a workflow in a workflow',
      { 'workflows.yaml': `${sound}  avisar:\n    steps: [{ id: a, tool: buscar, arguments: { subject: x } }]\n` },
      /14:15 error "avisar" is run as the workflow "avisar" itself, and workflows do not nest/,
    ],
    [
      'the key as an argument',
      { 'mcp_parameter_mapping.yaml': 'tools:\n  avisar: { idempotency_argument: texto }\n' },
      /16:29 error "texto" carries the idempotency key of the step/,
    ],
  ])('%s is refused', async (_, more, message) => {
    const problems = await problemsWith({ ...files, ...more });
    expect(problems.find((problem) => message.test(problem)) ?? problems).toMatch(message);
  });

  it('in a policy is told there', async () => {
    const policies = 'tool_policies:\n  cancelar:\n    execution: { mode: workflow, workflow: nenhum }\n';
    expect(await problemsWith({ ...files, 'tool_policies.yaml': policies })).toContainEqual(
      expect.stringMatching(/^tool_policies.yaml:3:44 error No workflow "nenhum" is declared/),
    );
  });
});
