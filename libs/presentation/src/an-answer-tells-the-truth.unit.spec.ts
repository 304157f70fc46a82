import { describe, expect, it } from '@jest/globals';
import { errorCatalogue, type Locale, type ResultItem, type StructuredError } from '@latch/contracts';
import { type Reply, type ReplySlot } from '@latch/transaction';
import fc from 'fast-check';
import { checkEvidence, evidenceOf } from './check-evidence.ts';
import { composeReply } from './compose-reply.ts';
import { describeProblem } from './describe-problem.ts';
import { texts } from './texts.ts';

type Outcome = Extract<ReplySlot, { kind: 'outcome' }>;

const locales: readonly Locale[] = ['pt-BR', 'en', 'es'];
const locale = fc.constantFrom(...locales);
const toolLabels: Readonly<Record<Locale, string>> = {
  'pt-BR': 'o pedido de baixa',
  en: 'the removal',
  es: 'la baja',
};

const error: fc.Arbitrary<StructuredError> = fc.record({
  errorCategory: fc.constantFrom('transient', 'validation', 'business', 'permission'),
  isRetryable: fc.boolean(),
  message: fc.constantFrom('already_shipped', 'not_found', 'O pedido PED-1002 já saiu.', 'locked', 'upstream said no'),
  code: fc.constantFrom('tool.error', ...Object.keys(errorCatalogue).filter((code) => code.startsWith('tool.'))),
  alternatives: fc.constantFrom([], ['Ligue para 10315.']),
});
const item: fc.Arbitrary<ResultItem> = fc.record({
  id: fc.stringMatching(/^[a-z]{3}-[0-9]{4}$/),
  label: fc.stringMatching(/^[A-Z][a-z]{2,8} [A-Z][a-z]{2,8}$/),
  outcome: fc.constantFrom('succeeded' as const, 'failed' as const, 'unknown' as const),
  protocol: fc.option(fc.stringMatching(/^P-[0-9]{6}$/)),
  reason: fc.constantFrom(null, 'not_found', 'already_shipped', 'not_confirmed', 'Produto bloqueado até 10/12/2026'),
});

function verdictOf(items: readonly ResultItem[]): Outcome['outcome'] {
  const done = items.filter(({ outcome }) => outcome === 'succeeded').length;
  if (done === items.length) return 'SUCCESS';
  if (done > 0) return 'PARTIAL_SUCCESS';
  return items.every(({ outcome }) => outcome === 'failed') ? 'FAILED' : 'UNKNOWN';
}

type Story = { readonly slot: Outcome; readonly by: Locale };

const withItems: fc.Arbitrary<Story> = fc
  .record({
    items: fc.uniqueArray(item, { minLength: 1, maxLength: 10, selector: (each) => each.label }),
    error,
    secondary: fc.option(error),
    isBeingChecked: fc.boolean(),
    canRetry: fc.boolean(),
    by: locale,
  })
  .map(({ items, error: failure, secondary, isBeingChecked, canRetry, by }) => {
    const outcome = verdictOf(items);
    const isError = outcome === 'FAILED' || outcome === 'UNKNOWN';
    return {
      by,
      slot: slotOf(by, {
        outcome,
        items,
        error: isError ? failure : null,
        secondaryError: secondary,
        isBeingChecked,
        canRetry,
      }),
    };
  });

const withoutItems: fc.Arbitrary<Story> = fc
  .record({
    outcome: fc.constantFrom('SUCCESS' as const, 'FAILED' as const, 'UNKNOWN' as const),
    error,
    isBeingChecked: fc.boolean(),
    canRetry: fc.boolean(),
    data: fc.constantFrom(null, { protocol: 'CAN-0001' }, { status: 'OK' }),
    by: locale,
  })
  .map(({ outcome, error: failure, isBeingChecked, canRetry, data, by }) => ({
    by,
    slot: slotOf(by, { outcome, error: outcome === 'SUCCESS' ? null : failure, isBeingChecked, canRetry, data }),
  }));

function slotOf(by: Locale, of: Partial<Outcome>): Outcome {
  return {
    kind: 'outcome',
    toolLabel: toolLabels[by],
    outcome: 'SUCCESS',
    isReadOnly: false,
    values: [],
    items: [],
    data: null,
    isEmpty: false,
    note: null,
    error: null,
    secondaryError: null,
    isBeingChecked: false,
    canRetry: false,
    ...of,
  };
}

function tell({ slot, by }: Story): { readonly text: string; readonly reply: Reply } {
  const reply = { slots: [slot] };
  return { text: composeReply(reply, by), reply };
}

describe('an answer about several items, in every language', () => {
  it('names each item in one line, with its own outcome and protocol, and passes the evidence checker', () => {
    fc.assert(
      fc.property(withItems, (story) => {
        const { text, reply } = tell(story);
        for (const { label, protocol } of story.slot.items) {
          const lines = text.split('\n').filter((line) => line.startsWith(`- ${label}:`));
          expect(lines).toHaveLength(1);
          if (protocol !== null && protocol !== undefined) expect(lines[0]).toContain(protocol);
        }
        expect(checkEvidence(text, evidenceOf(reply))).toEqual({ ok: true, value: undefined });
      }),
      { numRuns: 600 },
    );
  });

  it('is found out when one item had another outcome than it says', () => {
    fc.assert(
      fc.property(withItems, fc.nat(), (story, at) => {
        const { text } = tell(story);
        const { items } = story.slot;
        const changed = items.map((each, index) =>
          index === at % items.length ? { ...each, outcome: otherThan(each.outcome) } : each,
        );
        const lie = evidenceOf({ slots: [{ ...story.slot, outcome: verdictOf(changed), items: changed }] });
        expect(checkEvidence(text, lie).ok).toBe(false);
      }),
      { numRuns: 600 },
    );
  });
});

function otherThan(outcome: ResultItem['outcome']): ResultItem['outcome'] {
  if (outcome === 'succeeded') return 'failed';
  return outcome === 'failed' ? 'unknown' : 'succeeded';
}

describe('an answer about a whole call, in every language', () => {
  it('passes the evidence checker, and is found out when the call ended otherwise', () => {
    fc.assert(
      fc.property(withoutItems, (story) => {
        const { text, reply } = tell(story);
        expect(checkEvidence(text, evidenceOf(reply))).toEqual({ ok: true, value: undefined });
        if (story.slot.outcome !== 'SUCCESS') return;
        for (const outcome of ['FAILED', 'UNKNOWN'] as const) {
          expect(checkEvidence(text, { ...evidenceOf(reply), outcome }).ok).toBe(false);
        }
      }),
      { numRuns: 600 },
    );
  });
});

describe('what the user can do next, in every language', () => {
  const failed = (category: StructuredError['errorCategory'], more: Partial<Outcome> = {}): string =>
    locales
      .map((by) => {
        const failure = { errorCategory: category, isRetryable: false, message: 'x' } as const;
        return composeReply({ slots: [slotOf(by, { outcome: 'FAILED', error: failure, ...more })] }, by);
      })
      .join('\n');

  it.each(locales)('is to try the failed ones again, where they can be (%s)', (by) => {
    const items: readonly ResultItem[] = [
      { id: '1', label: 'A', outcome: 'succeeded' },
      { id: '2', label: 'B', outcome: 'failed', reason: 'locked' },
    ];
    const retry = composeReply({ slots: [slotOf(by, { outcome: 'PARTIAL_SUCCESS', items, canRetry: true })] }, by);
    expect(retry).toContain(texts[by].retryItems);
    const final = composeReply({ slots: [slotOf(by, { outcome: 'PARTIAL_SUCCESS', items })] }, by);
    expect(final).not.toContain(texts[by].retryItems);
  });

  it('is to correct the value after a refusal for a wrong one', () => {
    for (const by of locales) {
      expect(failed('validation')).toContain(texts[by].correctValue);
      expect(failed('business')).not.toContain(texts[by].correctValue);
    }
  });

  it('is to talk to a person where a permission is missing, or nobody can be asked what became of it', () => {
    for (const by of locales) {
      expect(failed('permission')).toContain(texts[by].byCategory.permission);
      const open = composeReply({ slots: [slotOf(by, { outcome: 'UNKNOWN' })] }, by);
      expect(open).toContain(texts[by].unknownForPerson(toolLabels[by]));
    }
  });

  it('is to come back later when the system is down', () => {
    for (const by of locales) expect(failed('transient')).toContain(texts[by].laterOnly);
  });
});

describe('a value that was given wrong', () => {
  it.each([
    ['must name one month', 'É preciso o nome de um mês.', 'It takes the name of one month.'],
    ['must be a date with its year', 'com o ano', 'with its year'],
    ['must match ^PED-[0-9]{4,}$', 'formato esperado', 'expected form'],
    ['must be one of A, B', 'As opções são: A, B.', 'The options are: A, B.'],
    ['must be at least 0.01', 'O valor mínimo é 0.01.', 'The smallest value is 0.01.'],
    ['must be at most 3', 'O valor máximo é 3.', 'The largest value is 3.'],
    ['must be at most 2000 characters long', 'no máximo 2000 caracteres', 'at most 2000 characters'],
    ['must be an integer', 'um número inteiro', 'a whole number'],
    ['must be one amount of money', 'valor em dinheiro', 'amount of money'],
  ])('is explained in the language of the user: %s', (detail, portuguese, english) => {
    expect(describeProblem(detail, 'pt-BR')).toContain(portuguese);
    expect(describeProblem(detail, 'en')).toContain(english);
    expect(describeProblem(detail, 'es')).not.toMatch(/must|preciso/);
  });

  it('is explained as the reader of the language said it, where it did', () => {
    expect(describeProblem('essa data não existe', 'pt-BR')).toBe('Essa data não existe.');
  });
});
