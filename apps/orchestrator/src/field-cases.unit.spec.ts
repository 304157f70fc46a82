import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type AgentConfig, agentDigest, type ParameterConfig, type ToolConfig } from '@latch/contracts';
import { fold, initialState, redecide } from '@latch/transaction';
import { agreeable, type Answer, type Backend, kindsOf, SpokenConversation } from './spoken-conversation.features.ts';

/**
 * Reports from the field (fixtures/NOTICE.md), each played from the sentence to the call: state, arguments, routing and executions are the expected ones. What a
 * row says in words is asserted under its id.
 */
type Expected = {
  readonly routing?: string;
  readonly reading?: string;
  readonly status?: string;
  readonly tool?: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly missing_parameters?: readonly string[];
  readonly tool_executions?: number;
};
type Case = {
  readonly id: string;
  readonly topic: string;
  readonly context: {
    readonly tool: Pick<ToolConfig, 'name' | 'requires'> & {
      readonly require_confirmation: boolean;
      readonly args_schema: Readonly<Record<string, Partial<ParameterConfig>>>;
    };
    readonly state?: {
      readonly transaction_status: string;
      readonly active_transaction?: { readonly arguments: Readonly<Record<string, unknown>> };
      readonly last_transaction?: { readonly arguments: Readonly<Record<string, unknown>>; readonly status: string };
    };
  };
  readonly input: { readonly messages?: readonly string[] };
  readonly expected: Expected;
};

const cases: readonly Case[] = readFileSync(new URL('./fixtures/field-cases.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line): Case => JSON.parse(line));

/** The words of each tool and parameter, as a platform team would declare them: the rows leave them out. */
const labels: Readonly<Record<string, string>> = {
  order_id: 'o número do pedido',
  reason: 'o motivo',
  amount: 'o valor',
  rating: 'a nota',
  items: 'os serviços',
  cancel_order: 'o cancelamento do pedido',
  cancel_services: 'o cancelamento dos serviços',
};

const plain = { description: null, userPrompt: null, pattern: null, enum: null, minimum: null, maximum: null };

function toolOf({
  name,
  requires,
  require_confirmation: isConfirmed,
  args_schema: schema,
}: Case['context']['tool']): ToolConfig {
  const parameters = Object.entries(schema).map(([key, declared]): [string, ParameterConfig] => {
    const { type = 'string', format = null, pattern = null, minimum = null, maximum = null } = declared;
    const bounds = { type, format, pattern, minimum, maximum };
    return [key, { name: key, label: labels[key] ?? key, default: null, ...plain, ...bounds }];
  });
  return {
    name,
    label: labels[name] ?? name,
    description: '',
    server: 'sample',
    enabled: true,
    operationType: 'transactional',
    requiresConfirmation: isConfirmed,
    requires,
    parameters: Object.fromEntries(parameters),
    preValidation: null,
    mapping: { map: {}, defaults: {}, idempotencyArgument: null },
    declaredIdempotent: false,
    reconcileTool: null,
    timeoutMs: 1_000,
    maxAttempts: 1,
  };
}

function agentFor({ context }: Case): AgentConfig {
  const tool = toolOf(context.tool);
  const other = { ...context.tool, name: 'transfer_line', requires: ['line'], args_schema: { line: {} } };
  const rest = { route: 'sample', examples: [], keywords: [], reply: null };
  const config = {
    agentId: 'sample',
    name: 'Sample',
    locale: 'pt-BR' as const,
    timeZone: 'America/Sao_Paulo',
    tenants: ['default'],
    channels: ['web'],
    tools: { [tool.name]: tool, transfer_line: toolOf(other) },
    intents: [
      {
        ...rest,
        intent: tool.name,
        tool: tool.name,
        keywords: ['cancelar pedido'],
        examples: ['quero cancelar o pedido {order_id}'],
      },
      { ...rest, intent: 'transfer_line', tool: 'transfer_line', keywords: ['transferir linha'] },
      {
        ...rest,
        intent: 'view_invoice',
        tool: null,
        keywords: ['ver fatura'],
        reply: 'Sua fatura está no aplicativo.',
      },
    ],
    domainWords: ['pedido', 'serviço'],
    maxClarifications: 3,
    confirmationTtlSeconds: 600,
    collectionTtlSeconds: 3_600,
    maxParked: 2,
  };
  return { ...config, digest: agentDigest(config) };
}

/** A conversation that has come to the state of the case, as a form would have brought it there. */
function begin(of: Case, backend: Backend = agreeable): SpokenConversation {
  const talk = new SpokenConversation(agentFor(of), backend);
  const { name } = of.context.tool;
  const { active_transaction: active, last_transaction: last } = of.context.state ?? {};
  if (active !== undefined) talk.sends({ intent: name, arguments: active.arguments });
  if (last !== undefined) talk.sends({ intent: name, arguments: last.arguments });
  if (last?.status === 'COMPLETED') talk.says('sim', { message_id: 'm-9' });
  if (last?.status === 'EXPIRED') talk.waits(601);
  return talk;
}

type Played = { readonly talk: SpokenConversation; readonly answer: Answer | null; readonly of: Case };

function found(id: string): Case {
  const of = cases.find((each) => each.id === `field-${id}`);
  if (of === undefined) throw new Error(`There is no field case ${id}`);
  return of;
}

function play(id: string, text?: string): Played {
  const of = found(id);
  const talk = begin(of);
  const answer = talk.says(text ?? of.input.messages?.[0] ?? '');
  return { talk, answer, of };
}

const routings: Readonly<Record<string, string>> = {
  fills_parameter: 'continue',
  new_intent: 'interrupt',
  abandons: 'cancel',
  unclear: 'clarify',
};

function argumentsOf({ talk }: Played): Readonly<Record<string, unknown>> {
  const { active_transaction: active, last_transaction: last } = talk.view();
  const held = active ?? last ?? {};
  return JSON.parse(JSON.stringify('arguments' in held ? held.arguments : {}));
}

function readingOf({ talk }: Played): string {
  const received = talk.events.findLast((event) => event.type === 'TurnReceived');
  return received?.type === 'TurnReceived' ? received.input.understanding.confirmation : '';
}

/** Everything that a row states as a value. */
function expectAsStated(played: Played): void {
  const { talk, of } = played;
  const { routing, reading, status, tool, missing_parameters: missing, tool_executions: executions } = of.expected;
  const opened = of.context.state?.active_transaction !== undefined;
  if (routing !== undefined) expect(opened ? routings[talk.lastRule()] : 'continue').toBe(routing);
  if (reading !== undefined) expect(readingOf(played)).toBe(reading);
  if (status !== undefined) expect(talk.view().transaction_status).toBe(status);
  if (tool !== undefined) expect(talk.state.transaction?.tool).toBe(tool);
  if (missing !== undefined) expect(talk.view().missing_parameters).toEqual(missing);
  if (executions !== undefined) expect(talk.executions()).toHaveLength(executions);
}

describe('filling parameters', () => {
  it('001: an unmistakable change of intent wins over the pending amount, and leaves a trace', () => {
    const played = play('slot-filling-001');
    expectAsStated(played);
    const { talk, answer } = played;
    expect(talk.view().active_transaction).toMatchObject({ tool: 'transfer_line' });
    expect(talk.view().parked_transactions).toMatchObject([{ tool: 'dispute_charge', status: 'INTERRUPTED' }]);
    expect(answer?.facts.missingParameters).toEqual(['line']);
  });

  it.each([
    ['002', 'the number inside a phrase, with its type', { rating: 7 }],
    ['003', 'every value of a list', { items: ['Clube de Leitura', 'Antivírus Plus', 'Pacote Esportes'] }],
    ['004', 'a correction of an earlier value although another one is pending', { order_id: '1002' }],
    ['007', 'an answer typed in the chat box, which resumes what waits', { order_id: 'PED-1001' }],
    ['008', 'everything that came with the opening sentence', { order_id: 'PED-1001', reason: 'atrasou demais' }],
    ['009', 'no yes for a value', {}],
    ['011', 'Brazilian grouping and decimal marks', { subject: 'Pacote Esportes', amount: 1234.56 }],
    ['012', 'a postal code as an identifier, with its zero', { postal_code: '01310-100' }],
    ['013', 'the day first', { due_date: '2027-02-06' }],
  ])('%s: takes %s', (id, _, expected) => {
    const played = play(`slot-filling-${id}`);
    expectAsStated(played);
    expect(argumentsOf(played)).toEqual(expected);
  });

  it('005: giving up in plain words ends the draft and asks for nothing', () => {
    const played = play('slot-filling-005');
    expectAsStated(played);
    expect(played.talk.view().last_transaction).toMatchObject({ tool: 'cancel_order', status: 'CANCELLED' });
    expect(kindsOf(played.answer)).toEqual(['cancelled']);
  });

  it('006: three answers in a burst each fill their own parameter, and all three are answered', () => {
    const talk = begin(found('slot-filling-006'));
    const answers = ['END-77', '10/12/2026', 'de manhã'].map((text) => kindsOf(talk.says(text)).join());
    expect(argumentsOf({ talk, answer: null, of: found('slot-filling-006') })).toEqual({
      address_id: 'END-77',
      date: '2026-12-10',
      period: 'manha',
    });
    expect(answers).toEqual(['ask_parameter', 'ask_parameter', 'ask_confirmation']);
  });

  it('007: nothing is lost by a restart between two turns', () => {
    const talk = begin(found('slot-filling-007'));
    const { id } = talk.state.transaction ?? {};
    talk.restarts();
    talk.says('PED-1001');
    expect(talk.state.transaction).toMatchObject({ id, status: 'AWAITING_CONFIRMATION' });
  });

  it.each([
    ['PED-1001\n', { order_id: 'PED-1001' }],
    ['"PED-1001".', { order_id: 'PED-1001' }],
    ['é o ped-1001, tá?', { order_id: 'PED-1001' }],
    // The bare verb of an open cancellation says nothing new: it is asked again, never a number.
    ['cancelar\n', {}],
  ])('010: reads %j as %j', (text, expected) => {
    const played = play('slot-filling-010', text);
    expect(argumentsOf(played)).toEqual(expected);
    if (Object.keys(expected).length === 0) expect(played.talk.view().transaction_status).toBe('COLLECTING_PARAMETERS');
  });
});

describe('yes and no', () => {
  it.each([
    ['001', 'text that is neither'],
    ['003', 'a doubt that begins with "não"'],
  ])('%s: %s neither runs nor ends anything', (id) => {
    const played = play(`yes-no-${id}`);
    expectAsStated(played);
    expect(kindsOf(played.answer)).toEqual(['ask_confirmation']);
  });

  it.each([
    ['002', '', 'unclear', 0],
    ['002', 'n', 'no', 0],
    ['002', 'NÃO', 'no', 0],
    ['002', 'Não.', 'no', 0],
    ['004', 'yes please', 'yes', 1],
    ['004', 'sí', 'yes', 1],
    ['004', 'no, thanks', 'no', 0],
    // Debatable: a thumb could be unclear. It answers exactly the question that was asked, no other gesture means yes, and asking again would tell most of those
    // who use it that they were not understood. All three spellings are read alike.
    ['005', '👍', 'yes', 1],
    ['005', '👍🏽', 'yes', 1],
    ['005', '✅ pode', 'yes', 1],
  ])('%s: %j reads as %s and runs %d times', (id, text, reading, executions) => {
    const played = play(`yes-no-${id}`, text);
    expect(readingOf(played)).toBe(reading);
    expect(played.talk.executions()).toHaveLength(executions);
    const status = { yes: 'COMPLETED', no: 'CANCELLED', unclear: 'AWAITING_CONFIRMATION' }[reading];
    expect(played.talk.view().transaction_status).toBe(status);
  });

  it('006: a confirmation that comes again runs nothing: the message itself is a repeat, and a new yes finds nothing', () => {
    const talk = begin(found('yes-no-006'));
    expect(talk.executions()).toHaveLength(1);
    expect(talk.says('sim', { message_id: 'm-9' })).toBeNull();
    expect(kindsOf(talk.says('sim'))).toEqual(['nothing_to_confirm']);
    expect(talk.executions()).toHaveLength(1);
  });

  it('007: a yes after the expiry is told that nothing was executed and how to start again', () => {
    const played = play('yes-no-007');
    expectAsStated(played);
    expect(kindsOf(played.answer)).toEqual(['expired']);
    expect(played.answer?.text).toMatch(/não executei/);
    expect(played.answer?.text).toMatch(/pedir de novo/);
  });
});

describe('results and redeliveries', () => {
  const openedCancellation = (backend: Backend): SpokenConversation => {
    const talk = new SpokenConversation(agentFor(found('mcp-result-006')), backend);
    talk.says('quero cancelar o pedido PED-1001');
    return talk;
  };

  it('mcp-result 006: a write that timed out is being checked: not failed, not called again', () => {
    const error = { errorCategory: 'transient', isRetryable: false, message: 'timeout', code: 'tool.timeout' } as const;
    const talk = openedCancellation(() => ({ ok: false, outcome: 'UNKNOWN', error, data: null }));
    const answer = talk.says('sim');
    expect(answer?.facts).toMatchObject({ transactionStatus: 'OUTCOME_UNKNOWN', outcome: 'UNKNOWN' });
    expect(answer?.text).not.toMatch(/falhou|não foi feito/i);
    ['sim', 'e aí?', 'confirmo'].forEach((text) => talk.says(text));
    expect(talk.executions()).toHaveLength(1);
    // The server's late answer is evidence.
    talk.answers(talk.calls.at(-1), { outcome: 'SUCCESS' });
    expect(talk.view().last_transaction).toMatchObject({ status: 'COMPLETED' });
  });

  it('multi-item 003: an item without evidence is named as such (debatable: its aggregate is partial)', () => {
    const of = found('multi-item-003');
    const items = ['A', 'B', 'C'].map((id) => ({
      id,
      label: id,
      outcome: id === 'C' ? ('unknown' as const) : ('succeeded' as const),
    }));
    const talk = new SpokenConversation(agentFor(of), () => ({
      outcome: 'PARTIAL_SUCCESS',
      items,
      partial_success: true,
    }));
    talk.sends({ intent: 'cancel_services', arguments: { items: ['A', 'B', 'C'] } });
    const answer = talk.says('sim');
    expect(answer?.facts).toMatchObject({ outcome: 'PARTIAL_SUCCESS', items });
    expect(answer?.text).toMatch(/\bC\b/);
  });

  it('event-driven 001: a result that is delivered again changes nothing', () => {
    const talk = openedCancellation(agreeable);
    talk.says('sim');
    const before = JSON.stringify(talk.state);
    expect(talk.answers(talk.calls.at(-1), { outcome: 'FAILED', ok: false })).toBeNull();
    expect(JSON.stringify(talk.state)).toBe(before);
    expect(talk.executions()).toHaveLength(1);
  });

  it('event-driven 005: a result with a field of a later release is accepted', () => {
    const talk = openedCancellation(() => JSON.parse('{"ok":true,"outcome":"SUCCESS","seq":7}'));
    expect(talk.says('sim')?.facts.transactionStatus).toBe('COMPLETED');
  });

  it('event-driven 007: a replay gives the same state and calls nothing', () => {
    const talk = openedCancellation(agreeable);
    talk.says('sim');
    const start = initialState(talk.state);
    expect(fold(start, talk.events)).toEqual(talk.state);
    expect(redecide(start, talk.events, () => agentFor(found('mcp-result-006')))).toBeNull();
    expect(talk.executions()).toHaveLength(1);
  });

  it('plays every row of the fixture', () => {
    const played = /slot-filling-0(0[1-9]|1[0-3])|yes-no-00[1-7]|mcp-result-006|multi-item-003|event-driven-00[157]/;
    expect(cases.filter(({ id }) => !played.test(id))).toEqual([]);
  });
});
