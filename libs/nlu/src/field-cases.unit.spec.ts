import { describe, expect, it } from '@jest/globals';
import { type ParameterConfig, type ToolConfig } from '@latch/contracts';
import { type Expectation, type Understanding } from '@latch/transaction';
import {
  agent,
  awaiting,
  intent,
  nothingOpen,
  parameter,
  pending,
  read,
  rows,
  tool,
} from './sample-agents.features.ts';

type Schema = Record<string, Partial<ParameterConfig>>;
type Case = {
  readonly id: string;
  readonly topic: string;
  readonly context: {
    readonly tool: { readonly name: string; readonly args_schema: Schema };
    readonly state: {
      readonly transaction_status: string;
      readonly active_transaction?: { readonly arguments: Record<string, unknown> };
      readonly missing_parameters?: readonly string[];
    };
  };
  readonly input: { readonly messages?: readonly string[]; readonly events?: readonly { readonly text: string }[] };
};

const isCase = (row: unknown): row is Case => typeof row === 'object' && row !== null && 'context' in row;
const cases = rows('field-cases.jsonl', (row): unknown => row).filter(isCase);

const labels: Readonly<Record<string, string>> = {
  order_id: 'o número do pedido',
  reason: 'o motivo',
  amount: 'o valor',
  rating: 'a nota',
  items: 'os serviços',
};
const toolLabels: Readonly<Record<string, string>> = {
  cancel_order: 'o cancelamento do pedido',
  cancel_services: 'o cancelamento dos serviços',
};

function toolOf({ context }: Case): ToolConfig {
  const parameters = Object.entries(context.tool.args_schema).map(([name, schema]) =>
    parameter(name, { label: labels[name] ?? name, ...schema }),
  );
  return tool(context.tool.name, toolLabels[context.tool.name] ?? context.tool.name, parameters);
}

function expectationOf(from: Case, of: ToolConfig): Expectation {
  const { transaction_status: status, active_transaction: active, missing_parameters: missing } = from.context.state;
  if (status === 'COLLECTING_PARAMETERS') return pending(of, missing ?? [], active?.arguments);
  return status === 'AWAITING_CONFIRMATION' ? awaiting(of, active?.arguments ?? {}) : nothingOpen;
}

/** Reads the messages of a case, each on a fresh copy of its state. */
function readCase(id: string): readonly Understanding[] {
  const found = cases.find((each) => each.id === `field-${id}`);
  if (found === undefined) throw new Error(`no field case ${id}`);
  const of = toolOf(found);
  const by = agent({
    tools: { [of.name]: of },
    domainWords: ['pedido', 'serviço'],
    intents: [
      intent('cancel_order', 'cancel_order', {
        keywords: ['cancelar pedido'],
        examples: ['quero cancelar o pedido {order_id}'],
      }),
      intent('transfer_line', null, { keywords: ['transferir linha'] }),
      intent('view_invoice', null, { keywords: ['ver fatura'] }),
    ],
  });
  const texts = found.input.messages ?? found.input.events?.map(({ text }) => text) ?? [];
  return texts.map((text) => read(text, by, expectationOf(found, of)));
}

describe('cases from the field: filling parameters', () => {
  it('lets an unmistakable new intent win over the pending amount', () => {
    expect(readCase('slot-filling-001')).toMatchObject([
      { intent: { intent: 'transfer_line', isClear: true }, values: {}, invalid: {} },
    ]);
  });

  it('takes the number out of a phrase', () =>
    expect(readCase('slot-filling-002')).toMatchObject([{ values: { rating: 7 } }]));

  it('takes every value of a list, not only the last one', () => {
    expect(readCase('slot-filling-003')[0]?.values).toEqual({
      items: ['Clube de Leitura', 'Antivírus Plus', 'Pacote Esportes'],
    });
  });

  it('corrects the earlier value although another one is pending', () => {
    expect(readCase('slot-filling-004')).toMatchObject([{ values: { order_id: '1002' }, corrects: true }]);
    expect(readCase('slot-filling-004')[0]?.values).not.toHaveProperty('reason');
  });

  it('hears that the user gives up', () =>
    expect(readCase('slot-filling-005')).toMatchObject([{ abandons: true, values: {} }]));

  it('fills each answer of a burst into its own parameter', () => {
    expect(readCase('slot-filling-006').map(({ values }) => values)).toEqual([
      { address_id: 'END-77' },
      { date: '2026-12-10' },
      { period: 'manha' },
    ]);
  });

  it('takes an answer after a restart', () =>
    expect(readCase('slot-filling-007')[0]?.values).toEqual({ order_id: 'PED-1001' }));

  it('takes what came with the opening sentence', () => {
    expect(readCase('slot-filling-008')).toMatchObject([
      { intent: { tool: 'cancel_order', isClear: true, values: { order_id: 'PED-1001', reason: 'atrasou demais' } } },
    ]);
  });

  it('takes no yes for a value', () =>
    expect(readCase('slot-filling-009')).toMatchObject([{ values: {}, invalid: {} }]));

  it('reads identifiers whatever stands around them, and none out of "cancelar"', () => {
    const [plain, quoted, spoken, cancel] = readCase('slot-filling-010');
    expect([plain, quoted, spoken].map((each) => each?.values)).toEqual(Array(3).fill({ order_id: 'PED-1001' }));
    expect(cancel).toMatchObject({ values: {}, abandons: false });
  });

  it('reads Brazilian grouping', () => expect(readCase('slot-filling-011')[0]?.values).toEqual({ amount: 1234.56 }));

  it('keeps a postal code as it is', () =>
    expect(readCase('slot-filling-012')[0]?.values).toEqual({ postal_code: '01310-100' }));

  it('reads the day first', () => expect(readCase('slot-filling-013')[0]?.values).toEqual({ due_date: '2027-02-06' }));
});

describe('cases from the field: yes and no', () => {
  it.each([
    ['yes-no-001', ['unclear']],
    ['yes-no-002', ['unclear', 'no', 'no', 'no']],
    ['yes-no-003', ['unclear']],
    ['yes-no-004', ['yes', 'yes', 'no']],
    // Debatable: a raised thumb could be unclear. It answers exactly the question that was asked, no other gesture means yes, and asking again would tell most
    // of those who use it that they were not understood.
    ['yes-no-005', ['yes', 'yes', 'yes']],
    // 006 and 007 read as a yes with nothing open; what becomes of it is decided by the engine, which runs nothing.
    ['yes-no-006', ['yes']],
    ['yes-no-007', ['yes']],
  ])('%s reads as %j', (id, expected) =>
    expect(readCase(id).map(({ confirmation }) => confirmation)).toEqual(expected),
  );

  it('abandons nothing over a doubt', () => expect(readCase('yes-no-003')[0]?.abandons).toBe(false));
});
