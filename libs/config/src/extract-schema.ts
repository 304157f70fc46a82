import { type ExtractRule, type ExtractStrategy, type MonthLanguage } from '@latch/contracts';
import { z } from 'zod';
import { section } from './parse-section.ts';
import { patternProblem } from './pattern-problem.ts';

/** One entry of `extract`: the rule, or the ancestor's `strategy: llm`, which has no effect. */
export type ExtractEntry = ExtractRule | 'llm';

/** Every strategy as it is written in the file. */
const strategyNames = [
  ...(['month_name_pt', 'month_name_en', 'month_name_es', 'digits', 'date', 'money', 'regex'] as const),
  ...(['first', 'last', 'constant', 'lower', 'upper', 'trim'] as const),
] as const;
type StrategyName = (typeof strategyNames)[number];

const outputs = ['number', 'year_month', 'cents'] as const;

const strategyShape = {
  strategy: z.enum(strategyNames),
  output: z.enum(outputs).optional(),
  order: z.enum(['day_first', 'month_first']).optional(),
  pattern: z.string().min(1).max(500).optional(),
  group: z.union([z.int().min(0).max(50), z.string().min(1)]).optional(),
  separator: z.string().min(1).max(20).optional(),
  value: z.unknown().optional(),
};

type StrategyKeys = z.output<z.ZodObject<typeof strategyShape>>;

const Strategy = z.preprocess(longForm, section(strategyShape).superRefine(refuseWrongKeys));

/** `extract` of one argument: a name, one strategy with its keys, or several in `strategies`. `type` and `description` are the ancestor's. */
export const ExtractSchema = z.preprocess(
  longForm,
  section({
    ...strategyShape,
    strategy: z.enum([...strategyNames, 'llm']).optional(),
    strategies: z.array(Strategy).min(1).max(8).optional(),
    from: z
      .string()
      .regex(/^(?:message|(?:arguments|business_context)(?:\.[\p{L}_][\p{L}\p{N}_-]*)+)$/u, {
        error: 'must be message, arguments.<name> or business_context.<key>.',
      })
      .optional(),
    type: z.unknown().optional(),
    description: z.unknown().optional(),
  })
    .superRefine(refuseTwoForms)
    .transform((keys): ExtractEntry => {
      const { strategy } = keys;
      if (strategy === 'llm') return 'llm';
      const single = strategy === undefined ? [] : [{ ...keys, strategy }];
      const from = keys.from === undefined || keys.from === 'message' ? null : keys.from;
      return { from, strategies: [...single, ...(keys.strategies ?? [])].map(toStrategy) };
    }),
);

/** `mes: month_name_pt` is the long form with nothing but the strategy. */
function longForm(value: unknown): unknown {
  return typeof value === 'string' ? { strategy: value } : value;
}

type RuleKeys = Omit<StrategyKeys, 'strategy'> & {
  readonly strategy?: StrategyName | 'llm' | undefined;
  readonly strategies?: unknown;
};

function refuseTwoForms(keys: RuleKeys, context: z.core.$RefinementCtx): void {
  const { strategy, strategies } = keys;
  if ((strategy === undefined) === (strategies === undefined)) {
    const message = 'must have either a strategy or a list of strategies.';
    context.addIssue({ code: 'custom', path: ['strategy'], message });
  } else if (strategy !== undefined && strategy !== 'llm') refuseWrongKeys({ ...keys, strategy }, context);
}

const monthNames = ['month_name_pt', 'month_name_en', 'month_name_es'] as const;

/** The keys that belong to each strategy beside its name; `pattern` and `value` are needed where they belong. */
const keysOf: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(monthNames.map((name) => [name, ['output']])),
  ...{ money: ['output'], date: ['order'], regex: ['pattern', 'group'], first: ['separator'], last: ['separator'] },
  constant: ['value'],
};

function refuseWrongKeys(keys: StrategyKeys, context: z.core.$RefinementCtx): void {
  for (const [key, message] of [...strayKeys(keys), ...missingKeys(keys), ...wrongValues(keys)]) {
    context.addIssue({ code: 'custom', path: [key], message });
  }
}

type KeyProblem = readonly [key: string, message: string];

function strayKeys(keys: StrategyKeys): readonly KeyProblem[] {
  const allowed = keysOf[keys.strategy] ?? [];
  return (['output', 'order', 'pattern', 'group', 'separator', 'value'] as const)
    .filter((key) => keys[key] !== undefined && !allowed.includes(key))
    .map((key) => [key, `does not belong to the strategy ${keys.strategy}.`]);
}

function missingKeys({ strategy, pattern, value }: StrategyKeys): readonly KeyProblem[] {
  if (strategy === 'regex' && pattern === undefined)
    return [['pattern', 'is missing. It must be a regular expression.']];
  const isEmpty = value === undefined || value === null;
  return strategy === 'constant' && isEmpty ? [['value', 'is missing. It must be the constant.']] : [];
}

function wrongValues({ strategy, output, pattern }: StrategyKeys): readonly KeyProblem[] {
  const problem = pattern === undefined ? null : patternProblem(pattern);
  const choices = strategy === 'money' ? ['number', 'cents'] : ['number', 'year_month'];
  const isWrong = output !== undefined && (keysOf[strategy] ?? []).includes('output') && !choices.includes(output);
  return [
    ...(problem === null ? [] : [['pattern', problem] as const]),
    ...(isWrong ? [['output', `must be one of ${choices.join(', ')}.`] as const] : []),
  ];
}

const readers: Readonly<Record<StrategyName, (keys: StrategyKeys) => ExtractStrategy>> = {
  month_name_pt: monthIn('pt'),
  month_name_en: monthIn('en'),
  month_name_es: monthIn('es'),
  digits: () => ({ strategy: 'digits' }),
  date: ({ order }) => ({ strategy: 'date', order: order ?? 'day_first' }),
  money: ({ output }) => ({ strategy: 'money', output: output === 'cents' ? 'cents' : 'number' }),
  regex: ({ pattern, group }) => ({ strategy: 'regex', pattern: pattern ?? '', group: group ?? 1 }),
  first: ({ separator }) => ({ strategy: 'first', separator: separator ?? ',' }),
  last: ({ separator }) => ({ strategy: 'last', separator: separator ?? ',' }),
  constant: ({ value }) => ({ strategy: 'constant', value }),
  lower: () => ({ strategy: 'lower' }),
  upper: () => ({ strategy: 'upper' }),
  trim: () => ({ strategy: 'trim' }),
};

function monthIn(language: MonthLanguage): (keys: StrategyKeys) => ExtractStrategy {
  return ({ output }) => ({
    strategy: 'month_name',
    language,
    output: output === 'year_month' ? 'year_month' : 'number',
  });
}

function toStrategy(keys: StrategyKeys): ExtractStrategy {
  return readers[keys.strategy](keys);
}
