import { describe, expect, it } from '@jest/globals';
import { type ConfigFiles, configuredAgent } from './configured-agent.features.ts';
import { kindsOf, type Said, SpokenConversation } from './spoken-conversation.features.ts';

/** What a platform team writes, from YAML to the call: each key of tools, policies, mapping, routing and identity as the conversation shows it. */
async function talkWith(files: ConfigFiles): Promise<SpokenConversation> {
  return new SpokenConversation(await configuredAgent(files));
}

const policy = (keys: string): string => `tool_policies:\n  fazer: { ${keys} }\n`;
const schema = (...lines: readonly string[]): string =>
  `    args_schema:\n${lines.map((line) => `      ${line}\n`).join('')}`;

describe('kind of operation and confirmation', () => {
  it.each([
    ['read_only', undefined, 'COMPLETED'],
    ['read_only', true, 'AWAITING_CONFIRMATION'],
    ['read_only', false, 'COMPLETED'],
    ['conversational', undefined, 'COMPLETED'],
    ['conversational', true, 'AWAITING_CONFIRMATION'],
    ['conversational', false, 'COMPLETED'],
    ['internal', undefined, 'COMPLETED'],
    ['internal', true, 'AWAITING_CONFIRMATION'],
    ['internal', false, 'COMPLETED'],
    // A transactional tool asks unless its own policy says that it does not.
    ['transactional', undefined, 'AWAITING_CONFIRMATION'],
    ['transactional', true, 'AWAITING_CONFIRMATION'],
    ['transactional', false, 'COMPLETED'],
  ])('a %s tool with require_confirmation %p comes to %s', async (type, isConfirmed, status) => {
    const asked = isConfirmed === undefined ? '' : `, require_confirmation: ${isConfirmed}`;
    const talk = await talkWith({ policies: policy(`operation_type: ${type}${asked}`) });
    talk.says('quero fazer');
    expect(talk.view().transaction_status).toBe(status);
    if (status === 'COMPLETED') return expect(talk.executions()).toHaveLength(1);
    expect(talk.executions()).toHaveLength(0);
    talk.says('sim');
    expect(talk.executions()).toHaveLength(1);
  });

  it.each([
    ['action', 'AWAITING_CONFIRMATION'],
    ['transactional', 'AWAITING_CONFIRMATION'],
    ['query', 'COMPLETED'],
    ['read', 'COMPLETED'],
    ['read_only', 'COMPLETED'],
    ['conversational', 'COMPLETED'],
    ['internal', 'COMPLETED'],
  ])('tool_type %s alone comes to %s', async (type, status) => {
    const talk = await talkWith({ tools: `    tool_type: ${type}\n` });
    talk.says('quero fazer');
    expect(talk.view().transaction_status).toBe(status);
  });

  it('follows defaults.require_confirmation for what is not transactional, and never takes a confirmation away by it', async () => {
    const asked = await talkWith({ policies: 'defaults: { require_confirmation: true }\n' });
    asked.says('quero fazer');
    expect(asked.view().transaction_status).toBe('AWAITING_CONFIRMATION');
    const kept = await talkWith({
      tools: '    tool_type: action\n',
      policies: 'defaults: { require_confirmation: false }\n',
    });
    kept.says('quero fazer');
    expect(kept.view().transaction_status).toBe('AWAITING_CONFIRMATION');
  });

  it('does not offer a tool that is switched off', async () => {
    const talk = await talkWith({ tools: '    enabled: false\n' });
    expect(kindsOf(talk.says('quero fazer'))).toEqual(['not_eligible']);
    expect(talk.calls).toEqual([]);
  });
});

describe('what is required', () => {
  it('joins requires of both files and `required` of a parameter, those of the policy first', async () => {
    const talk = await talkWith({
      tools: `    requires: [b, a]\n${schema('a: { label: a cor }', 'b: { label: o tamanho }', 'c: { label: o tecido }', 'd: { required: true }', 'e: string')}`,
      policies: policy('requires: [c, a]'),
    });
    talk.says('quero fazer');
    expect(talk.view().missing_parameters).toEqual(['c', 'a', 'b', 'd']);
  });

  it('never asks for an optional parameter, and takes it when it comes along', async () => {
    const files = {
      tools: schema('ref: { pattern: "^R-[0-9]+$", required: true }', 'nota: { pattern: "^N-[0-9]+$" }'),
    };
    const plain = await talkWith(files);
    ['quero fazer', 'R-1'].forEach((text) => plain.says(text));
    expect(plain.executions()).toEqual([{ tool_name: 'fazer', arguments: { ref: 'R-1' } }]);
    const both = await talkWith(files);
    ['quero fazer', 'R-1 com N-2'].forEach((text) => both.says(text));
    expect(both.view().last_transaction).toMatchObject({ arguments: { ref: 'R-1' } });
    const form = await talkWith(files);
    form.sends({ intent: 'fazer', arguments: { ref: 'R-1', nota: 'N-2', outra: 'x' } });
    expect(form.executions()).toEqual([{ tool_name: 'fazer', arguments: { ref: 'R-1', nota: 'N-2' } }]);
  });

  it('asks by user_prompt, else by label, else by the name in words', async () => {
    const prompts = await Promise.all(
      ['{ user_prompt: "Qual é a cor?" }', '{ label: a cor }', 'string'].map(async (declared) => {
        const talk = await talkWith({
          tools: schema(`cor_do_item: ${declared}`),
          policies: policy('requires: [cor_do_item]'),
        });
        return talk.says('quero fazer')?.text;
      }),
    );
    expect(prompts).toEqual([
      'Qual é a cor?',
      expect.stringContaining('a cor'),
      expect.stringContaining('cor do item'),
    ]);
  });
});

describe('what a parameter accepts', () => {
  it.each([
    ['string', '{ label: o apelido }', 'Casa Azul', 'Casa Azul'],
    ['pattern', '{ pattern: "^[A-Z]{3}-[0-9]+$" }', 'é o abc-12', 'ABC-12'],
    ['enum', '{ enum: [azul, verde claro] }', 'o verde claro', 'verde claro'],
    ['integer', '{ type: integer }', 'uns 7', 7],
    ['number', '{ type: number }', '2,5', 2.5],
    ['money', '{ type: money }', 'R$ 1.234,56', 1234.56],
    ['money as text', '{ type: string, format: money }', 'R$ 1.234,56', '1234.56'],
    ['date', '{ type: date }', '06/02/2027', '2027-02-06'],
    ['boolean', '{ type: boolean }', 'não', false],
    ['array', '{ type: array, label: os itens }', 'A, B e C', ['A', 'B', 'C']],
  ])('%s: %s', async (_, declared, text, value) => {
    const talk = await talkWith({ tools: schema(`p: ${declared}`), policies: policy('requires: [p]') });
    ['quero fazer', text].forEach((said) => talk.says(said));
    expect(talk.executions()).toEqual([{ tool_name: 'fazer', arguments: { p: value } }]);
  });

  it.each([
    ['pattern', '{ pattern: "^PED-[0-9]{4}$" }', 'PED-1'],
    ['enum', '{ enum: [azul, verde] }', 'roxo'],
    ['minimum', '{ type: integer, minimum: 3 }', '2'],
    ['maximum', '{ type: integer, maximum: 3 }', '4'],
    ['minimum of an amount', '{ type: money, minimum: 0.01 }', 'R$ 0,00'],
  ])('%s: says what is wrong and asks again', async (_, declared, text) => {
    const talk = await talkWith({ tools: schema(`p: ${declared}`), policies: policy('requires: [p]') });
    talk.says('quero fazer');
    expect(talk.says(text)?.slots).toMatchObject([{ kind: 'ask_parameter', why: 'invalid' }]);
    expect(talk.executions()).toEqual([]);
  });

  it('holds what a form sends to the same declaration', async () => {
    const talk = await talkWith({
      tools: schema('p: { type: integer, maximum: 3 }'),
      policies: policy('requires: [p]'),
    });
    expect(talk.sends({ intent: 'fazer', arguments: { p: 4 } })?.slots).toMatchObject([{ why: 'invalid' }]);
    talk.sends({ arguments: { p: '3' } });
    expect(talk.executions()).toEqual([{ tool_name: 'fazer', arguments: { p: 3 } }]);
  });

  it('matches no endless text against a pattern', async () => {
    const talk = await talkWith({
      tools: schema('p: { pattern: "^[0-9]+[0-9]+!$" }'),
      policies: policy('requires: [p]'),
    });
    expect(talk.sends({ intent: 'fazer', arguments: { p: '1'.repeat(200_000) } })?.slots).toMatchObject([
      { why: 'invalid' },
    ]);
  });
});

describe('defaults', () => {
  it('come from the mapping before the parameter, and only where nothing else gave a value', async () => {
    const files = {
      tools: schema('canal: { default: loja }', 'moeda: { default: BRL }', 'ref: { pattern: "^R-[0-9]+$" }'),
      mapping: 'defaults: { canal: web, estranho: 1 }\ntools:\n  fazer: { defaults: { ref: R-9 } }\n',
    };
    const plain = await talkWith(files);
    plain.says('quero fazer');
    expect(plain.executions()).toEqual([{ tool_name: 'fazer', arguments: { canal: 'web', moeda: 'BRL', ref: 'R-9' } }]);
    const given = await talkWith(files);
    given.sends({ intent: 'fazer', arguments: { ref: 'R-1', moeda: 'USD' } });
    expect(given.executions()).toEqual([{ tool_name: 'fazer', arguments: { canal: 'web', moeda: 'USD', ref: 'R-1' } }]);
  });
});

describe('the order of argument sources', () => {
  const files: ConfigFiles = {
    tools: schema('ref: { pattern: "^R-[0-9]+$" }'),
    policies: policy('requires: [ref], operation_type: transactional'),
    mapping: 'tools:\n  fazer: { map: { resource_key: ref }, defaults: { ref: R-9 } }\n',
  };
  const sources: readonly (readonly [string, Said])[] = [
    ['tool_arguments', { tool_arguments: { ref: 'R-1' } }],
    ['business_context', { business_context: { resource_key: 'R-2' } }],
    ['context', { context: { ref: 'R-3' } }],
    ['metadata', { metadata: { ref: 'R-4' } }],
  ];

  it.each(sources.map(([name], index) => [name, index] as const))(
    '%s comes before all that stand behind it',
    async (_, first) => {
      const talk = await talkWith(files);
      const said = sources.slice(first).reduce((all, [, source]) => ({ ...all, ...source }), {});
      talk.says('quero fazer R-5', said);
      expect(talk.view().active_transaction).toMatchObject({ arguments: { ref: `R-${first + 1}` } });
    },
  );

  it('the state comes before what a channel repeats, the word of the user before both', async () => {
    const open: ConfigFiles = { ...files, mapping: undefined };
    const talk = await talkWith(open);
    talk.says('quero fazer', { context: { ref: 'R-3' } });
    talk.says('xyz', { context: { ref: 'R-7' } });
    expect(talk.view().active_transaction).toMatchObject({ arguments: { ref: 'R-3' } });
    talk.says('não, é R-8', { context: { ref: 'R-7' } });
    expect(talk.view().active_transaction).toMatchObject({
      arguments: { ref: 'R-8' },
      corrections: [{ parameter: 'ref', from: 'R-3', to: 'R-8' }],
    });
  });

  it('text comes last', async () => {
    const talk = await talkWith({ ...files, mapping: undefined });
    ['quero fazer', 'R-5'].forEach((text) => talk.says(text));
    expect(talk.view().active_transaction).toMatchObject({ arguments: { ref: 'R-5' } });
  });

  it("an identity of the business context is not the user's to change", async () => {
    const talk = await talkWith(files);
    talk.says('quero fazer', { business_context: { resource_key: 'R-2' } });
    talk.says('não, é R-8', { business_context: { resource_key: 'R-2' } });
    expect(talk.view().active_transaction).toMatchObject({ arguments: { ref: 'R-2' } });
  });
});

describe('identity.yaml', () => {
  const files: ConfigFiles = {
    tools: schema('linha: string'),
    policies: policy('requires: [linha]'),
    mapping: 'tools:\n  fazer: { map: { customer_key: linha } }\n',
    identity:
      'business_context: { customer_key: [context.msisdn, msisdn] }\nchannels:\n  voice: { customer_key: context.ani }\n',
  };
  it.each<readonly [string, Said, string]>([
    ['the first path that holds a value', { context: { msisdn: '1', ani: '3' }, msisdn: '2' }, '1'],
    ['the next path', { context: { msisdn: ' ' }, msisdn: 2 }, '2'],
    ['the rule of the channel', { channel: 'voice', context: { msisdn: '1', ani: '3' } }, '3'],
    ['the general rule where the channel finds nothing', { channel: 'voice', context: { msisdn: '1' } }, '1'],
    ['what the request says itself', { context: { msisdn: '1' }, business_context: { customer_key: '4' } }, '4'],
  ])('takes %s', async (_, said, line) => {
    const talk = await talkWith(files);
    talk.says('quero fazer', said);
    expect(talk.executions()).toEqual([{ tool_name: 'fazer', arguments: { linha: line } }]);
  });

  it.each<readonly [string, Said]>([
    ['nothing', {}],
    ['an object', { context: { msisdn: { numero: '1' } } }],
    ['an inherited member', { context: {} }],
    ['a null of the channel', { business_context: { customer_key: null } }],
  ])('asks the user where it finds %s', async (_, said) => {
    const talk = await talkWith(files);
    talk.says('quero fazer', said);
    expect(talk.view().missing_parameters).toEqual(['linha']);
  });
});

describe('routing.yaml', () => {
  const intents = (second: string): string =>
    `intents:\n  - { name: fazer, tool: fazer, keywords: [fazer], examples: ['fazer {ref}'] }\n  - ${second}\n`;
  const files = { tools: schema('ref: { pattern: "^R-[0-9]+$" }'), policies: policy('requires: [ref]') };

  it('takes a placeholder for its parameter, and tells intent and route', async () => {
    const talk = await talkWith({ ...files, routing: intents('{ name: ola, reply: Olá!, keywords: [ola] }') });
    const answer = talk.says('fazer R-12');
    expect(talk.executions()).toEqual([{ tool_name: 'fazer', arguments: { ref: 'R-12' } }]);
    expect(answer?.facts).toMatchObject({ intent: 'fazer', route: 'loja' });
  });

  it('answers an intent with a reply, and leaves what is open as it is', async () => {
    const talk = await talkWith({
      ...files,
      routing: intents('{ name: horario, reply: Das 8h às 20h., keywords: [horário] }'),
    });
    expect(talk.says('qual o horário?')?.text).toContain('Das 8h às 20h.');
    talk.says('fazer');
    expect(kindsOf(talk.says('qual o horário?'))).toEqual(['fixed', 'ask_parameter']);
    expect(talk.view().missing_parameters).toEqual(['ref']);
  });

  it('lets a word of the domain alone interrupt nothing', async () => {
    const second = '{ name: ver, reply: Nada., keywords: [pacote] }';
    const talk = await talkWith({ ...files, agents: '    domain_words: [pacote]\n', routing: intents(second) });
    ['fazer', 'pacote'].forEach((text) => talk.says(text));
    expect(talk.lastRule()).toBe('domain_word');
    expect(talk.view().active_transaction).toMatchObject({ tool: 'fazer' });
  });
});

describe('limits of an agent', () => {
  const files = {
    tools: schema('ref: { pattern: "^R-[0-9]+$" }'),
    policies: policy('requires: [ref], operation_type: transactional'),
  };

  it('max_clarifications: a person is offered after so many', async () => {
    const talk = await talkWith({ ...files, agents: '    max_clarifications: 1\n' });
    talk.says('quero fazer');
    expect(['hum', 'hein'].map((text) => kindsOf(talk.says(text)).join())).toEqual(['ask_parameter', 'handoff']);
  });

  it('confirmation_ttl_seconds: a later yes runs nothing', async () => {
    const talk = await talkWith({ ...files, agents: '    confirmation_ttl_seconds: 60\n' });
    ['quero fazer', 'R-1'].forEach((text) => talk.says(text));
    talk.waits(61);
    expect(kindsOf(talk.says('sim'))).toEqual(['expired']);
    expect(talk.executions()).toEqual([]);
  });

  it('collection_ttl_seconds: a later value starts nothing', async () => {
    const talk = await talkWith({ ...files, agents: '    collection_ttl_seconds: 60\n' });
    talk.says('quero fazer');
    talk.waits(61);
    expect(kindsOf(talk.says('R-1'))).toContain('expired');
    expect(talk.view().active_transaction).toBeNull();
  });

  it('max_parked: what is interrupted beyond it is given up', async () => {
    const second =
      'intents:\n  - { name: fazer, tool: fazer, keywords: [fazer] }\n  - { name: refazer, tool: refazer, keywords: [refazer] }\n';
    const tools = `${files.tools}  refazer:\n    mcp_server: s\n${files.tools}    requires: [ref]\n`;
    const talk = await talkWith({ ...files, tools, routing: second, agents: '    max_parked: 0\n' });
    talk.says('quero fazer');
    expect(kindsOf(talk.says('quero refazer'))).toEqual(['cancelled', 'ask_parameter']);
    expect(talk.view().parked_transactions).toEqual([]);
  });
});

describe('pre_validation', () => {
  const tools = `${schema('ref: { pattern: "^R-[0-9]+$" }')}  checar:\n    mcp_server: s\n    tool_type: internal\n${schema('ref: string')}`;
  const talkPolicy = async (keys: string, answer: object): Promise<SpokenConversation> => {
    const policies = policy(`requires: [ref], operation_type: transactional, pre_validation: { tool: checar${keys} }`);
    return new SpokenConversation(await configuredAgent({ tools, policies }), () => answer);
  };

  it.each([
    ['asks first', '', { data: { eligible: true } }, 'AWAITING_CONFIRMATION', 1],
    ['ends what is not eligible', '', { data: { eligible: false } }, 'OUT_OF_SCOPE', 1],
    [
      'goes on over a no with fail_open',
      ', fail_open: true',
      { data: { eligible: false } },
      'AWAITING_CONFIRMATION',
      1,
    ],
    ['ends when the validator fails', '', { ok: false, outcome: 'FAILED' }, 'FAILED', 1],
    [
      'goes on when it fails with fail_open',
      ', fail_open: true',
      { ok: false, outcome: 'FAILED' },
      'AWAITING_CONFIRMATION',
      1,
    ],
    ['is not asked when switched off', ', enabled: false', {}, 'AWAITING_CONFIRMATION', 0],
  ])('%s', async (_, keys, answer, status, calls) => {
    const talk = await talkPolicy(keys, answer);
    ['quero fazer', 'R-1'].forEach((text) => talk.says(text));
    expect(talk.view().transaction_status).toBe(status);
    expect(talk.calls).toHaveLength(calls);
  });
});
