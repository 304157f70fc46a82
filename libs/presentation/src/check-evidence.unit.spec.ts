import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkEvidence, type Evidence } from './check-evidence.ts';

const evidence: Evidence = {
  outcome: 'PARTIAL_SUCCESS',
  items: [
    { id: 'a', label: 'TIM Fashion', outcome: 'succeeded', protocol: 'VAS-2026-001' },
    { id: 'b', label: 'Aya Audiobooks', outcome: 'failed' },
    { id: 'c', label: 'Neymar Jr', outcome: 'unknown' },
  ],
  facts: { valor: 71.99, due_date: '2026-12-10T09:30:00Z', order: 'PED-1001' },
};

function problems(text: string, of: Evidence = evidence): readonly string[] {
  const result = checkEvidence(text, of);
  return result.ok ? [] : result.error;
}

describe('a reworded answer to a mixed result', () => {
  it.each([
    'Cancelei TIM Fashion (protocolo VAS-2026-001), mas Aya Audiobooks não foi encontrado. Neymar Jr ainda está pendente.',
    'Concluídos:\n- TIM Fashion (VAS-2026-001)\nNão concluídos:\n- Aya Audiobooks\nAinda sem resultado:\n- Neymar Jr\nValor: R$ 71,99, dia 10/12/2026.',
    'TIM Fashion was cancelled, protocol VAS-2026-001. Aya Audiobooks could not be cancelled. The result of Neymar Jr is not known yet.',
    'De 3, 1 foi concluído: TIM Fashion, VAS-2026-001.\nAya Audiobooks: falhou.\nNeymar Jr: estou verificando.',
  ])('passes when everything in it is in the evidence: %p', (text) => expect(problems(text)).toEqual([]));

  const honest = 'TIM Fashion: concluído, VAS-2026-001.\nAya Audiobooks: não concluído.\nNeymar Jr: pendente.';

  it.each([
    ['an item that is not named', honest.replace('Neymar Jr: pendente.', ''), 'item "Neymar Jr" is not named'],
    [
      'a failure called a success',
      honest.replace('não concluído', 'cancelado'),
      'item "Aya Audiobooks" is not said to be failed',
    ],
    [
      'a success called a failure',
      honest.replace('concluído, V', 'falhou, V'),
      'item "TIM Fashion" is not said to be succeeded',
    ],
    [
      'an unknown called a success',
      honest.replace('pendente', 'cancelado'),
      'item "Neymar Jr" is not said to be unknown',
    ],
    ['an outcome that is not said', honest.replace('pendente', 'ok'), 'the outcome of item "Neymar Jr" is not said'],
    [
      'a protocol that is left out',
      honest.replace('VAS-2026-001', 'ok'),
      'the protocol of item "TIM Fashion" is not given',
    ],
    ['an invented protocol', `${honest} VAS-2026-002`, '"VAS-2026-002" is not in the evidence'],
    ['an invented amount', `${honest} Valor: R$ 71,98`, '"71,98" is not in the evidence'],
    ['a wrong count', `${honest} Foram 2 cancelamentos.`, '"2" is not in the evidence'],
  ])('fails for %s', (_, text, problem) => expect(problems(text)).toContain(problem));

  it('does not take a longer name for a shorter one', () => {
    const two: Evidence = {
      outcome: 'SUCCESS',
      facts: {},
      items: [
        { id: 'a', label: 'TIM', outcome: 'succeeded' },
        { id: 'b', label: 'TIM Fashion', outcome: 'succeeded' },
      ],
    };
    expect(problems('TIM Fashion: concluído', two)).toEqual(['item "TIM" is not named']);
  });
});

describe('an answer without items', () => {
  const of = (outcome: Evidence['outcome']): Evidence => ({ outcome, items: [], facts: {} });

  it('may not call a failed or unknown operation done', () => {
    expect(problems('Pronto, pedido cancelado!', of('FAILED'))).toEqual(['the failure is not said']);
    expect(problems('Pedido cancelado com sucesso.', of('UNKNOWN'))).toEqual(['the result is not said to be unknown']);
    expect(problems('Não foi possível cancelar. O reembolso foi feito.\nCancelado.', of('FAILED'))).toEqual([
      'a success is claimed that the evidence does not hold',
    ]);
  });

  it('may say so when it is', () => {
    expect(problems('Pronto, pedido cancelado!', of('SUCCESS'))).toEqual([]);
    expect(problems('Não consegui cancelar.', of('FAILED'))).toEqual([]);
    expect(problems('Ainda não sei o resultado; estou verificando.', of('UNKNOWN'))).toEqual([]);
  });
});

it('never throws on any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) =>
      expect(typeof checkEvidence(text, evidence).ok).toBe('boolean'),
    ),
  );
});
