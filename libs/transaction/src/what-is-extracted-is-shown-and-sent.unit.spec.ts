import { describe, expect, it } from '@jest/globals';
import { type ExtractRule, type ParameterMapping } from '@latch/contracts';
import { agentWith, parameter, tool } from './fixtures/agent.ts';
import { Conversation, slot, wants, yes } from './fixtures/conversation.ts';
import { mapArguments } from './map-arguments.ts';

const month: ExtractRule = {
  from: null,
  strategies: [{ strategy: 'month_name', language: 'pt', output: 'number' }],
};
const digits: ExtractRule = { from: null, strategies: [{ strategy: 'digits' }] };

function talkWith(
  mapping: Partial<ParameterMapping>,
  parameters = [parameter('mes'), parameter('linha')],
): Conversation {
  const declared = tool('parcelar_fatura', parameters, {
    mapping: { map: {}, defaults: {}, idempotencyArgument: null, ...mapping },
  });
  return new Conversation(
    agentWith({
      tools: { parcelar_fatura: declared },
      intents: [
        { intent: 'parcelar_fatura', route: 'x', tool: 'parcelar_fatura', keywords: [], examples: [], reply: null },
      ],
    }),
  );
}

function wish(values: Readonly<Record<string, unknown>>): ReturnType<typeof wants> {
  return wants('parcelar_fatura', values);
}

describe('an argument with an extraction rule', () => {
  it('is shown and sent as the rule reads it: "março" is month 3', () => {
    const talk = talkWith({ extract: { mes: month } });
    talk.says(wish({ mes: 'março', linha: '1' }));
    expect(talk.status).toBe('AWAITING_CONFIRMATION');
    talk.says(yes);
    expect(talk.executions()).toMatchObject([{ call: { arguments: { mes: 3, linha: '1' } } }]);
  });

  it('is asked for when the rule cannot read it, and never sent as it was said', () => {
    const talk = talkWith({ extract: { mes: month } });
    const slots = talk.says(wish({ mes: 'o mês passado', linha: '1' }));
    expect(slot(slots, 'ask_parameter')).toMatchObject({
      parameter: { name: 'mes' },
      why: 'invalid',
      detail: 'must name one month',
    });
    talk.says({ values: { mes: 'abril' } });
    talk.says(yes);
    expect(talk.executions()).toMatchObject([{ call: { arguments: { mes: 4 } } }]);
  });

  it('is read alike out of a form, whose numbers stay numbers', () => {
    const talk = talkWith({ extract: { mes: month } }, [parameter('mes', { type: 'integer' }), parameter('linha')]);
    talk.says(wish({}));
    talk.says({ turn: { inputs: { arguments: { mes: 'Setembro', linha: '1' } } } });
    expect(talk.state.transaction?.arguments).toEqual({ mes: 9, linha: '1' });
  });

  it('must still fit its declaration', () => {
    const talk = talkWith({ extract: { linha: digits } }, [
      parameter('mes'),
      parameter('linha', { pattern: '^[0-9]{11}$' }),
    ]);
    const slots = talk.says(wish({ mes: 'x', linha: '(11) 9999' }));
    expect(slot(slots, 'ask_parameter')).toMatchObject({ parameter: { name: 'linha' }, why: 'invalid' });
    talk.says({ values: { linha: '(11) 99999-9999' } });
    expect(talk.state.transaction?.arguments['linha']).toBe('11999999999');
  });

  it('out of the business context is read once, and asked for when it cannot be', () => {
    const mapping = { map: { customer_key: 'linha' }, extract: { linha: digits } };
    const talk = talkWith(mapping);
    talk.says({ ...wish({ mes: '1' }), turn: { businessContext: { customer_key: '+55 (11) 99999-9999' } } });
    expect(talk.state.transaction?.arguments['linha']).toBe('5511999999999');
    const other = talkWith(mapping);
    const slots = other.says({ ...wish({ mes: '1' }), turn: { businessContext: { customer_key: 'nobody' } } });
    expect(slot(slots, 'ask_parameter').parameter.name).toBe('linha');
  });

  it('read out of another argument makes that one be asked when it cannot be read', () => {
    const extract = { mes: { ...month, from: 'arguments.referencia' } };
    const talk = talkWith({ extract }, [parameter('referencia'), parameter('mes', { type: 'integer' })]);
    const slots = talk.says(wish({ referencia: 'aquele' }));
    expect(slot(slots, 'ask_parameter')).toMatchObject({ parameter: { name: 'referencia' }, why: 'invalid' });
    talk.says({ values: { referencia: 'a de maio' } });
    talk.says(yes);
    expect(talk.executions()).toMatchObject([{ call: { arguments: { referencia: 'a de maio', mes: 5 } } }]);
  });

  it('with a constant is the constant, whatever anybody says', () => {
    const extract = { linha: { from: null, strategies: [{ strategy: 'constant', value: 'chat' }] } } as const;
    const talk = talkWith({ extract });
    talk.says({
      ...wish({ mes: '1', linha: 'app' }),
      turn: { sources: { toolArguments: {}, context: { linha: 'x' }, metadata: {} } },
    });
    talk.says(yes);
    expect(talk.executions()).toMatchObject([{ call: { arguments: { mes: '1', linha: 'chat' } } }]);
  });
});

describe('mapArguments', () => {
  it('leaves out what a rule cannot read', () => {
    const declared = tool('t', [parameter('a'), parameter('b')], {
      mapping: {
        map: { customer_key: 'a' },
        defaults: {},
        idempotencyArgument: null,
        extract: { a: digits, b: { ...month, from: 'business_context.metadata.when' } },
      },
    });
    expect(mapArguments(declared, {}, { customer_key: 'x', metadata: { when: 'y' } })).toEqual({});
    expect(mapArguments(declared, {}, { customer_key: 'x1', metadata: { when: 'maio' } })).toEqual({ a: '1', b: 5 });
    expect(mapArguments(declared, { a: 'as it is', b: 7 }, { customer_key: 'x1' })).toEqual({ a: 'as it is', b: 7 });
  });
});
