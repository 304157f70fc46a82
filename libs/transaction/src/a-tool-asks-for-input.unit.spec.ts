import { describe, expect, it } from '@jest/globals';
import { agentWith, parameter, tool } from './fixtures/agent.ts';
import { Conversation, failureOf, kinds, slot, wants, yes } from './fixtures/conversation.ts';

const seat = tool('marcar_assento', [parameter('voo'), parameter('assento'), parameter('motivo')], {
  requires: ['voo'],
  mapping: { map: { customer_key: 'cliente' }, defaults: {}, idempotencyArgument: null },
});
const agent = agentWith({
  tools: { marcar_assento: { ...seat, parameters: { ...seat.parameters, cliente: parameter('cliente') } } },
  intents: [{ intent: 'marcar_assento', route: 'r', tool: 'marcar_assento', keywords: [], examples: [], reply: null }],
});

/** A call that runs, and whose tool then asks for these arguments. */
function asked(...missing: readonly string[]): {
  readonly talk: Conversation;
  readonly told: ReturnType<Conversation['says']>;
} {
  const talk = new Conversation(agent);
  talk.says({ ...wants('marcar_assento', { voo: 'LA-8' }), turn: { businessContext: { customer_key: 'c-9' } } });
  talk.says(yes);
  const told = talk.answers(
    failureOf('validation', { code: 'tool.input_required', message: 'Which seat?', missing: [...missing] }),
  );
  return { talk, told };
}

describe('a tool that asks for input in the middle of a call', () => {
  it('reopens exactly the parameters that it asks for, also optional ones, and keeps the rest', () => {
    const { talk, told } = asked('assento', 'motivo');
    expect(slot(told, 'ask_parameter')).toMatchObject({ parameter: { name: 'assento' }, why: 'missing', detail: null });
    expect(talk.state.transaction).toMatchObject({
      status: 'COLLECTING_PARAMETERS',
      missing: ['assento', 'motivo'],
      arguments: { voo: 'LA-8' },
    });
  });

  it('is called again under a new proposal, once everything that it asked for is there', () => {
    const { talk } = asked('assento', 'motivo');
    expect(slot(talk.says({ values: { assento: '12A' } }), 'ask_parameter').parameter.name).toBe('motivo');
    talk.says({ values: { motivo: 'janela' } });
    talk.says(yes);
    const calls = talk.executions().map(({ call }) => call);
    expect(calls[1]).toMatchObject({ rev: 2, arguments: { voo: 'LA-8', assento: '12A', motivo: 'janela' } });
    expect(calls[1]?.idempotencyKey).not.toBe(calls[0]?.idempotencyKey);
  });

  it('asks once for an argument that it names twice', () => {
    expect(asked('assento', 'assento').talk.state.transaction).toMatchObject({ missing: ['assento'] });
  });

  it.each([['numero_do_cartao'], ['assento', 'numero_do_cartao'], ['__proto__'], ['cliente'], []])(
    'is told honestly and handed to a person when it asks for what nobody can give it here: %s',
    (...missing: readonly string[]) => {
      const { talk, told } = asked(...missing);
      expect(kinds(told)).toEqual(['outcome', 'handoff']);
      expect(slot(told, 'outcome').error).toMatchObject({ code: 'tool.input_required' });
      expect(talk.state.last).toMatchObject({ status: 'FAILED', reason: 'tool_failed' });
    },
  );

  it('reopens what its validator asks for as well', () => {
    const talk = new Conversation();
    talk.says(wants('contestar_cobranca', { subject: 'TIM', valor: '71.99' }));
    const told = talk.answers(failureOf('validation', { code: 'tool.input_required', missing: ['subject'] }));
    expect(slot(told, 'ask_parameter').parameter.name).toBe('subject');
    expect(talk.state.transaction?.arguments).toEqual({ valor: '71.99' });
  });
});
