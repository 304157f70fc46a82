import { beforeAll, describe, expect, it } from '@jest/globals';
import { type AgentConfig, type ToolInvocation, type ToolResult } from '@latch/contracts';
import { sampleAgent } from './sample-platform.features.ts';
import { kindsOf, SpokenConversation } from './spoken-conversation.features.ts';

let telecom: AgentConfig;
beforeAll(async () => {
  telecom = await sampleAgent('telecom_contas');
});

const catalogue: Readonly<Record<string, string>> = {
  'TIM Fashion': 'TIM Fashion Mensal',
  'Aya Audiobooks': 'Aya Audiobooks Premium',
  'Neymar Jr': 'Neymar Jr',
  'TIM Music': 'TIM Music by Deezer',
};

/** The validator of seeds/000 section 3: finds the services that a text names. */
function resolve(subject: string): Partial<ToolResult> {
  const names = Object.entries(catalogue).flatMap(([said, name]) => (subject.includes(said) ? [name] : []));
  const resolved = { subject: names.join(', '), items: names.map((name) => ({ name })) };
  return { data: { eligible: names.length > 0, transaction_decision: { resolved_arguments: resolved } } };
}

/** One service fails the first time that it is tried. */
function flaky(failing: string): (call: ToolInvocation) => Partial<ToolResult> {
  let hasFailed = false;
  return (call) => {
    if (call.purpose === 'pre_validation') return resolve(String(call.arguments['subject']));
    const items = (call.items ?? []).map(({ id, label }) => {
      const isDone = hasFailed || id !== failing;
      return {
        id,
        label: label ?? id,
        outcome: isDone ? ('succeeded' as const) : ('failed' as const),
        is_retryable: !isDone,
      };
    });
    hasFailed = true;
    const isPartial = items.some(({ outcome }) => outcome === 'failed');
    return { items, outcome: isPartial ? 'PARTIAL_SUCCESS' : 'SUCCESS', partial_success: isPartial };
  };
}

const itemsOf = (call: ToolInvocation | undefined): readonly string[] => (call?.items ?? []).map(({ id }) => id);

function shown(): SpokenConversation {
  const talk = new SpokenConversation(telecom, flaky('none'));
  talk.says('cancela TIM Fashion, Aya Audiobooks e Neymar Jr');
  return talk;
}

describe('three services in one sentence (seeds/000)', () => {
  it('are shown once with their full names, run in one call, and told one by one', () => {
    const talk = shown();
    expect(talk.view().active_transaction).toMatchObject({
      items: [{ id: 'TIM Fashion Mensal' }, { id: 'Aya Audiobooks Premium' }, { id: 'Neymar Jr' }],
    });
    const answer = talk.says('sim');
    expect(talk.executions()).toHaveLength(1);
    for (const name of ['TIM Fashion Mensal', 'Aya Audiobooks Premium', 'Neymar Jr']) {
      expect(answer?.text.split(name)).toHaveLength(2);
    }
  });

  it.each([
    ['sim, menos o Neymar Jr', ['TIM Fashion Mensal', 'Aya Audiobooks Premium']],
    ['menos o Neimar', ['TIM Fashion Mensal', 'Aya Audiobooks Premium']],
    ['o Neymar não', ['TIM Fashion Mensal', 'Aya Audiobooks Premium']],
    ['só os dois primeiros', ['TIM Fashion Mensal', 'Aya Audiobooks Premium']],
    ['apenas o último', ['Neymar Jr']],
    ['TIM Music em vez do Neymar Jr', ['TIM Fashion Mensal', 'Aya Audiobooks Premium', 'TIM Music by Deezer']],
    ['troca o Neymar Jr por TIM Music', ['TIM Fashion Mensal', 'Aya Audiobooks Premium', 'TIM Music by Deezer']],
    ['só o 1 e o 3', ['TIM Fashion Mensal', 'Neymar Jr']],
    ['sim, os números 1 e 3', ['TIM Fashion Mensal', 'Neymar Jr']],
    [
      'sim, e inclui também o TIM Music',
      ['TIM Fashion Mensal', 'Aya Audiobooks Premium', 'Neymar Jr', 'TIM Music by Deezer'],
    ],
    [
      'cancela também o TIM Music',
      ['TIM Fashion Mensal', 'Aya Audiobooks Premium', 'Neymar Jr', 'TIM Music by Deezer'],
    ],
  ])('%p is validated again, asked again, and only then run', (text, names) => {
    const talk = shown();
    const before = talk.calls.length;
    expect(kindsOf(talk.says(text))).toEqual(['ask_confirmation']);
    expect(talk.calls.slice(before).map(({ purpose }) => purpose)).toEqual(['pre_validation']);
    expect(talk.executions()).toEqual([]);
    talk.says('sim');
    expect(itemsOf(talk.calls.at(-1))).toEqual(names);
  });

  it.each(['sim, menos o XYZ', 'sim, mas não', 'não, o Neymar', 'talvez', 'sim?', 'sim sim não'])(
    '%p changes nothing and runs nothing',
    (text) => {
      const talk = shown();
      const before = talk.calls.length;
      talk.says(text);
      expect(talk.calls).toHaveLength(before);
      expect(talk.view().active_transaction).toMatchObject({ items: [{}, {}, {}] });
    },
  );

  it('heals by the word of the user: only what failed is shown again, and run under its own item', () => {
    const talk = new SpokenConversation(telecom, flaky('Aya Audiobooks Premium'));
    talk.says('cancela TIM Fashion, Aya Audiobooks e Neymar Jr');
    expect(talk.says('sim')?.facts).toMatchObject({ outcome: 'PARTIAL_SUCCESS', transactionStatus: 'COMPLETED' });
    const first = talk.calls.at(-1);
    expect(kindsOf(talk.says('tenta de novo os que falharam'))).toEqual(['ask_confirmation']);
    expect(talk.view().active_transaction).toMatchObject({ items: [{ id: 'Aya Audiobooks Premium' }] });
    expect(talk.says('sim')?.facts).toMatchObject({ outcome: 'SUCCESS' });
    const second = talk.calls.at(-1);
    expect(itemsOf(second)).toEqual(['Aya Audiobooks Premium']);
    expect(second?.items?.[0]?.idempotency_key).toBe(first?.items?.[1]?.idempotency_key);
    expect(kindsOf(talk.says('tenta de novo os que falharam'))).toEqual(['help']);
    expect(talk.executions()).toHaveLength(2);
  });
});

describe('buttons and forms beside text', () => {
  it('beat the text of the same message', () => {
    const talk = shown();
    talk.says('sim, pode cancelar', { inputs: { confirmation: 'no' } });
    expect(talk.view().transaction_status).toBe('CANCELLED');
    expect(talk.executions()).toEqual([]);
  });

  it('answer only the proposal that they belong to', () => {
    const talk = shown();
    const stale = talk.lastAnswer()?.facts.proposalId ?? '';
    talk.says('menos o Neymar Jr');
    expect(kindsOf(talk.sends({ confirmation: 'yes', proposal_id: stale }))).toEqual([
      'stale_confirmation',
      'ask_confirmation',
    ]);
    expect(talk.executions()).toEqual([]);
    talk.sends({ confirmation: 'yes', proposal_id: talk.lastAnswer()?.facts.proposalId ?? '' });
    expect(itemsOf(talk.calls.at(-1))).toEqual(['TIM Fashion Mensal', 'Aya Audiobooks Premium']);
  });

  it('start, fill, switch and abandon as words do', () => {
    const talk = new SpokenConversation(telecom, flaky('none'));
    talk.sends({ intent: 'billing_charge_dispute', arguments: { subject: 'TIM Fashion' } });
    expect(talk.view().missing_parameters).toEqual(['valor']);
    talk.sends({ intent: 'telecom_vas_cancel' });
    expect(talk.view().parked_transactions).toMatchObject([{ tool: 'contestar_cobranca' }]);
    expect(kindsOf(talk.sends({ abandon: true }))).toEqual(['cancelled', 'offer_resume']);
    talk.says('sim');
    expect(talk.view().active_transaction).toMatchObject({
      tool: 'contestar_cobranca',
      arguments: { subject: 'TIM Fashion' },
    });
  });

  it('say nothing when they are empty: then the text is read', () => {
    const talk = shown();
    talk.says('sim', { inputs: {} });
    expect(talk.executions()).toHaveLength(1);
  });
});

describe('what was interrupted', () => {
  it('waits for so long and no longer', () => {
    const talk = new SpokenConversation(telecom, flaky('none'));
    talk.says('quero cancelar um serviço');
    talk.says('quero contestar uma cobrança');
    talk.waits(telecom.collectionTtlSeconds + 1);
    talk.says('oi');
    expect(talk.view().parked_transactions).toEqual([]);
    expect(kindsOf(talk.says('retoma o cancelamento'))).not.toContain('resumed');
  });

  it('is at most so many deep: the oldest is given up', () => {
    const talk = new SpokenConversation(telecom, flaky('none'));
    [
      'quero cancelar um serviço',
      'quero contestar uma cobrança',
      'quero cancelar produtos',
      'quero ver minha fatura',
    ].forEach((text) => talk.says(text));
    expect((talk.view().parked_transactions ?? []).map(({ tool }) => tool)).toEqual([
      'cancelar_produtos',
      'contestar_cobranca',
    ]);
    expect(talk.view().last_transaction).toMatchObject({ tool: 'cancelar_vas_avulso', reason: 'too_many_parked' });
  });

  it('is taken up by name', () => {
    const talk = new SpokenConversation(telecom, flaky('none'));
    talk.says('não contratei TIM Fashion');
    talk.says('quero cancelar produtos');
    expect(kindsOf(talk.says('retoma a contestação'))).toEqual(['parked', 'resumed', 'ask_parameter']);
    expect(talk.view().active_transaction).toMatchObject({ arguments: { subject: 'TIM Fashion' } });
  });
});
