import { describe, expect, it } from '@jest/globals';
import { problemsWith, toolWith } from './config-folder.features.ts';

const tools =
  'tools:\n  cancelar:\n    mcp_server: contas\n    tool_type: action\n    args_schema:\n      mes: string\n      referencia: string\n      canal: string\n';

function mapping(extract: string): Readonly<Record<string, string>> {
  return { 'tools.yaml': tools, 'mcp_parameter_mapping.yaml': `tools:\n  cancelar:\n    extract:\n      ${extract}\n` };
}

async function ruleOf(extract: string): Promise<unknown> {
  return (await toolWith(mapping(extract))).mapping.extract?.['mes'];
}

describe('extract in mcp_parameter_mapping.yaml', () => {
  it('has a short form: the name of a strategy', async () => {
    expect(await ruleOf('mes: month_name_pt')).toEqual({
      from: null,
      strategies: [{ strategy: 'month_name', language: 'pt', output: 'number' }],
    });
  });

  it.each([
    [
      '{ strategy: month_name_es, output: year_month }',
      { strategy: 'month_name', language: 'es', output: 'year_month' },
    ],
    ['digits', { strategy: 'digits' }],
    ['date', { strategy: 'date', order: 'day_first' }],
    ['{ strategy: date, order: month_first }', { strategy: 'date', order: 'month_first' }],
    ['{ strategy: money, output: cents }', { strategy: 'money', output: 'cents' }],
    [`{ strategy: regex, pattern: 'PED-(\\d+)' }`, { strategy: 'regex', pattern: String.raw`PED-(\d+)`, group: 1 }],
    [
      `{ strategy: regex, pattern: '(?<n>\\d+)', group: n }`,
      { strategy: 'regex', pattern: String.raw`(?<n>\d+)`, group: 'n' },
    ],
    ['first', { strategy: 'first', separator: ',' }],
    [`{ strategy: last, separator: '/' }`, { strategy: 'last', separator: '/' }],
    ['{ strategy: constant, value: 7 }', { strategy: 'constant', value: 7 }],
    ['upper', { strategy: 'upper' }],
    ['lower', { strategy: 'lower' }],
    ['trim', { strategy: 'trim' }],
  ])('knows %s', async (written, strategy) => {
    expect(await ruleOf(`mes: ${written}`)).toEqual({ from: null, strategies: [strategy] });
  });

  it('takes several strategies in order, and a value from another argument or the business context', async () => {
    expect(await ruleOf('mes: { from: arguments.referencia, strategies: [trim, upper] }')).toEqual({
      from: 'arguments.referencia',
      strategies: [{ strategy: 'trim' }, { strategy: 'upper' }],
    });
    expect(await ruleOf('mes: { from: business_context.metadata.plan, strategy: digits }')).toMatchObject({
      from: 'business_context.metadata.plan',
    });
    expect(await ruleOf('mes: { from: message, strategy: digits }')).toMatchObject({ from: null });
  });

  it('is absent where nothing is extracted', async () => {
    expect((await toolWith({ 'tools.yaml': tools })).mapping).not.toHaveProperty('extract');
  });

  it('says of the strategy llm of the ancestor that it has no effect', async () => {
    const files = mapping('mes: { from: message, strategy: llm, type: string, description: O mês. }');
    expect(await problemsWith(files)).toEqual([
      expect.stringMatching(/^mcp_parameter_mapping.yaml:4:7 warning The strategy llm has no effect in Latch/),
    ]);
    expect((await toolWith(files)).mapping).not.toHaveProperty('extract');
  });
});

describe('a mistake in extract', () => {
  it.each([
    ['mes: mont_name_pt', /strategy must be one of .* Did you mean "month_name_pt"/],
    ['mes: {}', /strategy must have either a strategy or a list of strategies/],
    ['mes: { strategy: digits, strategies: [trim] }', /either a strategy or a list/],
    ['mes: { strategy: digits, output: cents }', /output does not belong to the strategy digits/],
    ['mes: { strategy: money, output: year_month }', /output must be one of number, cents/],
    ['mes: { strategy: regex }', /pattern is missing/],
    [`mes: { strategy: regex, pattern: '(' }`, /pattern is no regular expression/],
    [`mes: { strategy: regex, pattern: '(a+)+b' }`, /pattern repeats something that repeats itself/],
    ['mes: { strategy: constant }', /value is missing/],
    ['mes: { strategies: [llm] }', /must be one of/],
    ['mes: { from: said, strategy: digits }', /from must be message, arguments/],
    ['mes: { from: arguments.mes, strategy: digits }', /is read out of itself/],
    [
      'mes: { from: arguments.referenca, strategy: digits }',
      /not in the args_schema of cancelar. Did you mean "referencia"/,
    ],
    [
      'mes: { from: arguments.referencia, strategy: digits }\n      referencia: { from: arguments.canal, strategy: trim }',
      /"referencia" is read out of something else itself/,
    ],
  ])('is an error at its line: %s', async (written, message) => {
    const problems = await problemsWith(mapping(written));
    expect(problems).toEqual([expect.stringMatching(/^mcp_parameter_mapping\.yaml:4:\d+ error /)]);
    expect(problems[0]).toMatch(message);
  });

  it.each([
    ['anos: digits', /"anos" is not in the args_schema of cancelar and is therefore never sent/],
    ['mes: { from: business_context.contract_kee, strategy: digits }', /Did you mean "contract_key"/],
    ['mes: { strategy: digits, patern: x }', /patern is not a known key/],
  ])('is a warning where it only has no effect: %s', async (written, message) => {
    const problems = await problemsWith(mapping(written));
    expect(problems).toEqual([expect.stringMatching(/^mcp_parameter_mapping\.yaml:4:\d+ warning /)]);
    expect(problems[0]).toMatch(message);
  });
});
