import { describe, expect, it } from '@jest/globals';
import { defaultAlternatives, type Locale, type ResultItem, type StructuredError } from '@latch/contracts';
import { type ReplySlot } from '@latch/transaction';
import fc from 'fast-check';
import { processorMs } from '@latch/testing';
import { checkEvidence, evidenceOf } from './check-evidence.ts';
import { composeReply } from './compose-reply.ts';

type Outcome = Extract<ReplySlot, { kind: 'outcome' }>;
type Confirmation = Extract<ReplySlot, { kind: 'ask_confirmation' }>;

const tool = 'o cancelamento dos serviços';
const say = (slot: ReplySlot, locale: Locale = 'pt-BR'): string => composeReply({ slots: [slot] }, locale);

function outcome(of: Partial<Outcome>): Outcome {
  const nothing = { values: [], items: [], data: null, isEmpty: false, note: null, error: null, secondaryError: null };
  return {
    kind: 'outcome',
    toolLabel: tool,
    outcome: 'SUCCESS',
    isReadOnly: false,
    isBeingChecked: true,
    canRetry: false,
    ...nothing,
    ...of,
  };
}

function confirmation(of: Partial<Confirmation>): Confirmation {
  return {
    kind: 'ask_confirmation',
    toolLabel: tool,
    message: null,
    items: [],
    rejected: [],
    values: [],
    why: 'first',
    ...of,
  };
}

function error(of: Partial<StructuredError>): StructuredError {
  return { errorCategory: 'business', isRetryable: false, message: 'already_shipped', ...of };
}

const mixed: readonly ResultItem[] = [
  { id: '1', label: 'TIM Fashion Mensal', outcome: 'succeeded', protocol: 'VAS-2026-001' },
  { id: '2', label: 'Aya Audiobooks Premium', outcome: 'failed', reason: 'not_found' },
  { id: '3', label: 'Neymar Jr', outcome: 'unknown' },
];

describe('the outcome of several items', () => {
  it('names each item once with its true outcome, reason and protocol, and says what can be done', () => {
    const text = say(outcome({ outcome: 'PARTIAL_SUCCESS', items: mixed, canRetry: true }));
    expect(text).toBe(
      [
        'Só uma parte foi concluída (o cancelamento dos serviços): 1 concluído, 1 não concluído, 1 sem resultado conhecido.',
        '- TIM Fashion Mensal: concluído, protocolo VAS-2026-001',
        '- Aya Audiobooks Premium: não concluído (não encontrado)',
        '- Neymar Jr: resultado desconhecido por enquanto',
        'Se quiser, diga "tenta de novo os que falharam".',
      ].join('\n'),
    );
  });

  it('keeps what ended when a later step fails', () => {
    const text = say(outcome({ items: mixed.slice(0, 1), secondaryError: error({ message: 'sms_not_sent' }) }));
    expect(text).toContain('- TIM Fashion Mensal: concluído');
    expect(text).toContain('uma etapa auxiliar falhou (sms not sent). O que está dito acima continua valendo.');
  });

  it('tells items of the same name apart', () => {
    const twins: ResultItem[] = [
      { id: 'A1', label: 'Canal', outcome: 'succeeded' },
      { id: 'B2', label: 'Canal', outcome: 'failed' },
    ];
    const text = say(outcome({ outcome: 'PARTIAL_SUCCESS', items: twins }));
    expect(text).toContain('- Canal [A1]: concluído');
    expect(text).toContain('- Canal [B2]: não concluído');
  });

  const label = fc.stringMatching(/^[A-Z][a-z]{2,8} [A-Z][a-z]{2,8}$/);
  const item = fc.record({
    id: fc.stringMatching(/^[a-z]{3}-[0-9]{4}$/),
    label,
    outcome: fc.constantFrom('succeeded' as const, 'failed' as const, 'unknown' as const),
    protocol: fc.option(fc.stringMatching(/^P-[0-9]{6}$/)),
    reason: fc.constantFrom(null, 'not_found', 'already_shipped', 'locked'),
  });
  const items = fc.uniqueArray(item, { minLength: 1, maxLength: 12, selector: (each) => each.label });
  const locale = fc.constantFrom('pt-BR' as const, 'en' as const, 'es' as const);

  it('names every item exactly once, whatever the items are', () => {
    fc.assert(
      fc.property(items, locale, (some, by) => {
        const lines = say(outcome({ outcome: 'PARTIAL_SUCCESS', items: some }), by).split('\n');
        for (const each of some) expect(lines.filter((line) => line.startsWith(`- ${each.label}:`))).toHaveLength(1);
      }),
    );
  });

  it('claims nothing that the evidence does not hold, in any language', () => {
    fc.assert(
      fc.property(items, locale, (some, by) => {
        const reply = { slots: [outcome({ outcome: 'PARTIAL_SUCCESS', items: some, canRetry: true })] };
        expect(checkEvidence(composeReply(reply, by), evidenceOf(reply))).toEqual({ ok: true, value: undefined });
      }),
    );
  });
});

describe('the outcome of one operation', () => {
  it('says that it is done, with its protocol', () => {
    expect(say(outcome({ data: { protocol: 'P-9', internal: 'x' } }))).toBe(
      'Pronto, está feito: o cancelamento dos serviços.\nProtocolo P-9.',
    );
  });

  it('says that somebody is checking only where somebody is', () => {
    expect(say(outcome({ outcome: 'UNKNOWN', isBeingChecked: true }))).toContain('Estou verificando');
    expect(say(outcome({ outcome: 'UNKNOWN', isBeingChecked: false }))).toContain('Uma pessoa vai verificar');
  });

  it('never calls an unknown outcome a failure or a success', () => {
    const text = say(outcome({ outcome: 'UNKNOWN' }));
    expect(text).toContain('Ainda não sei o resultado');
    expect(text).toContain('não repita o pedido');
    expect(text).not.toMatch(/concluíd|falhou/);
  });

  it('says what it was about, where no item does', () => {
    const order = [{ label: 'o número do pedido', value: 'PED-1001' }];
    const dispute = [
      { label: 'o serviço', value: 'TIM CTRL Redes Sociais 8.0' },
      { label: 'o valor', value: 71.99 },
    ];
    expect(say(outcome({ values: order }))).toBe('Pronto, está feito: o cancelamento dos serviços (PED-1001).');
    expect(say(outcome({ values: dispute }))).toContain('(TIM CTRL Redes Sociais 8.0, R$ 71,99)');
    expect(say(outcome({ values: order, outcome: 'UNKNOWN' }))).toContain('(PED-1001)');
    expect(say(outcome({ values: order, outcome: 'FAILED' }))).toContain('(PED-1001)');
  });

  it('names 20,000 items of one label in linear time: the answer is written while a conversation is locked', () => {
    const items = Array.from({ length: 20_000 }, (_, index): ResultItem => ({
      id: String(index % 10_000),
      label: 'Antivírus',
      outcome: 'succeeded',
    }));
    expect(say(outcome({ items })).split('\n')).toHaveLength(20_001);
    expect(processorMs(() => say(outcome({ items })), 1)).toBeLessThan(3_000);
  });

  it("leaves Latch's own advice to the caller of the tool out of the user's answer", () => {
    const failed = error({ errorCategory: 'transient', alternatives: [defaultAlternatives.repeatLater] });
    expect(say(outcome({ outcome: 'FAILED', error: failed }))).not.toMatch(/alternativa|again/i);
  });

  it('tells a business reason, keeps technical text of a transient failure to operators, and names alternatives', () => {
    expect(say(outcome({ outcome: 'FAILED', error: error({}) }))).toContain('Motivo: já foi enviado');
    const transient = say(
      outcome({
        outcome: 'FAILED',
        error: error({ errorCategory: 'transient', message: 'ECONNREFUSED 127.0.0.1:9101' }),
        canRetry: true,
      }),
    );
    expect(transient).not.toContain('ECONNREFUSED');
    expect(transient).toContain('diga "tenta de novo"');
    expect(say(outcome({ outcome: 'FAILED', error: error({ alternatives: ['devolver o pedido'] }) }))).toContain(
      '- devolver o pedido',
    );
    expect(say(outcome({ outcome: 'FAILED', error: error({ errorCategory: 'permission', message: '' }) }))).toContain(
      'um atendente pode ajudar',
    );
  });

  it('says of an empty read that it found nothing, which is no failure', () => {
    const text = say(
      outcome({
        isReadOnly: true,
        isEmpty: true,
        note: '0 pedidos no período',
        data: { results: [], note: '0 pedidos no período' },
      }),
    );
    expect(text).toBe('A consulta foi feita e não encontrou nada.\n0 pedidos no período');
  });

  it('shows what a read found with labels, money, dates and lists', () => {
    const data = {
      customer: 'Ana',
      valor: 1189.9,
      due_date: '2026-12-10',
      itens: [
        { name: 'TIM Fashion', valor: 19.99 },
        { name: 'Plano', valor: 169.91 },
      ],
      success: true,
    };
    expect(say(outcome({ isReadOnly: true, data }))).toBe(
      [
        'Cliente: Ana',
        'Valor: R$ 1.189,90',
        'Vencimento: 10/12/2026',
        'Itens:',
        '  - TIM Fashion · Valor: R$ 19,99',
        '  - Plano · Valor: R$ 169,91',
      ].join('\n'),
    );
  });

  it('puts no encoded content, no control characters and no endless text into a chat', () => {
    const text = say(
      outcome({
        isReadOnly: true,
        data: {
          image: 'QUJD'.repeat(100),
          name: 'a\u0000b\u202ec',
          log: 'x y '.repeat(500),
          many: Array.from({ length: 30 }, (_, at) => at),
        },
      }),
    );
    expect(text).toContain('Image: (conteúdo anexado)');
    expect(text).toContain('Nome: a b c');
    expect(text).toContain('... e mais 10');
    expect(text.length).toBeLessThan(1_000);
  });

  it('writes any JSON without throwing, and always the same', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('pt-BR' as const, 'en' as const, 'es' as const), (data, locale) => {
        const slot = outcome({ isReadOnly: true, data });
        expect(say(slot, locale)).toBe(say(slot, locale));
      }),
    );
  });
});

describe('the question for a confirmation', () => {
  it('lists items and values, and says how to answer', () => {
    expect(
      say(confirmation({ items: [{ label: 'A' }, { label: 'B' }], values: [{ label: 'o valor', value: 71.99 }] })),
    ).toBe(
      [
        'Você confirma o cancelamento dos serviços?',
        '- A',
        '- B',
        '- O valor: R$ 71,99',
        'Responda "sim", "não", ou diga o que quer mudar.',
      ].join('\n'),
    );
  });

  it("adds to the validator's own question what it does not name, so that what is shown is what is sent", () => {
    const text = say(
      confirmation({
        message: 'Você confirma o cancelamento de TIM Fashion?',
        items: [{ label: 'TIM Fashion' }, { label: 'Neymar Jr' }],
      }),
    );
    expect(text.match(/TIM Fashion/g)).toHaveLength(1);
    expect(text).toContain('- Neymar Jr');
  });

  it('says once which item goes along although it is likely to be refused, and why', () => {
    const rejected = [{ label: 'Aya', reason: 'item_nao_encontrado' }];
    const text = say(confirmation({ items: [{ label: 'Neymar Jr' }, { label: 'Aya' }], rejected }));
    expect(text).toContain('- Neymar Jr\nVai junto, mas deve ser recusado:\n- Aya (não encontrado)');
    expect(text.match(/Aya/g)).toHaveLength(1);
  });

  it('says why it is asked again', () => {
    expect(say(confirmation({ why: 'unclear' }))).toMatch(/^Não ficou claro se você confirma\./);
    expect(say(confirmation({ why: 'renewed' }))).toContain('confirmação de novo');
  });
});

describe('the question for a parameter', () => {
  const ask = {
    kind: 'ask_parameter',
    toolLabel: tool,
    parameter: { name: 'order_id', label: 'o número do pedido', userPrompt: 'Qual é o número do pedido?' },
  } as const;

  it("uses the parameter's own question, or its label", () => {
    expect(say({ ...ask, why: 'missing', detail: null })).toBe('Qual é o número do pedido?');
    expect(say({ ...ask, parameter: { ...ask.parameter, userPrompt: null }, why: 'missing', detail: null })).toBe(
      'Por favor, informe o número do pedido.',
    );
  });

  it('says what was wrong with the value', () => {
    expect(say({ ...ask, why: 'invalid', detail: 'o número não está no formato esperado' })).toBe(
      'O número não está no formato esperado. Qual é o número do pedido?',
    );
    expect(say({ ...ask, why: 'unclear', detail: null })).toBe('Não entendi a resposta. Qual é o número do pedido?');
  });
});

describe('every other slot', () => {
  const simple = ['cancelled', 'expired', 'working', 'parked', 'offer_resume', 'resumed'] as const;

  it.each(['pt-BR', 'en', 'es'] as const)('names the operation in %s', (locale) => {
    for (const kind of simple) expect(say({ kind, toolLabel: tool }, locale)).toContain(tool);
    for (const kind of ['nothing_to_confirm', 'stale_confirmation', 'handoff', 'inconsistent'] as const)
      expect(say({ kind }, locale)).not.toBe('');
  });

  it('promises nothing after the time to confirm is over', () => {
    expect(say({ kind: 'expired', toolLabel: tool })).toBe(
      'O prazo para confirmar terminou, então não executei o cancelamento dos serviços. Se ainda quiser, é só pedir de novo.',
    );
  });

  it('says what the agent can do, and puts a blank line between slots', () => {
    const slots: ReplySlot[] = [
      { kind: 'fixed', text: 'Olá!' },
      { kind: 'fixed', text: ' ' },
      { kind: 'help', options: ['ver a fatura', 'cancelar um serviço'] },
    ];
    expect(composeReply({ slots }, 'pt-BR')).toBe('Olá!\n\nPosso ajudar com:\n- ver a fatura\n- cancelar um serviço');
  });

  it('tells why something cannot be done or could not be checked', () => {
    expect(say({ kind: 'not_eligible', toolLabel: tool, reason: 'already_shipped' })).toBe(
      'Não é possível seguir com o cancelamento dos serviços.\nMotivo: já foi enviado',
    );
    expect(say({ kind: 'validation_failed', toolLabel: tool, error: error({ errorCategory: 'transient' }) })).toContain(
      'nada foi feito',
    );
  });
});
