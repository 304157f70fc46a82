import { type ToolInvocation, type ToolResult } from '@latch/contracts';
import { agreeing, type HistoryScript, scripted, told } from './history-script.ts';

/** One item of several is busy; alone it succeeds. */
function busyWith(item: string, call: ToolInvocation): Partial<ToolResult> {
  return { outcome: 'SUCCESS', ...told(call, (call.items ?? []).length > 1 ? [item] : []) };
}

/** Conversations about several items. */
export const itemScripts: readonly HistoryScript[] = [
  scripted({
    name: 'several-items',
    title: 'Three services in one sentence, one confirmation, one call',
    covers: ['COMPLETED', 'multi-item', 'pt-BR'],
    agent: 'telecom_contas',
    says: (talk) => talk.says('cancela TIM Fashion, Aya Audiobooks e Neymar Jr').says('sim'),
  }),
  scripted({
    name: 'partial-and-healed',
    title: 'One item fails, and is tried again alone under its own key',
    covers: ['COMPLETED', 'multi-item', 'partial', 'heal', 'pt-BR'],
    agent: 'telecom_contas',
    domain: (call) => (call.purpose === 'execution' ? busyWith('Aya Audiobooks', call) : agreeing(call)),
    says: (talk) =>
      talk
        .says('cancela TIM Fashion, Aya Audiobooks e Neymar Jr')
        .says('sim')
        .says('tenta de novo os que falharam')
        .says('sim'),
  }),
  scripted({
    name: 'amended',
    title: 'A yes with a change: validated again, asked again, run once',
    covers: ['COMPLETED', 'multi-item', 'amend', 'pt-BR'],
    agent: 'telecom_contas',
    says: (talk) =>
      talk.says('cancela TIM Fashion, Aya Audiobooks e Neymar Jr').says('sim, menos o Neymar Jr').says('sim'),
  }),
  scripted({
    name: 'no-item-succeeded',
    title: 'Every item fails',
    covers: ['FAILED', 'multi-item', 'pt-BR'],
    agent: 'telecom_contas',
    domain: (call) => {
      if (call.purpose !== 'execution') return agreeing(call);
      const all = (call.items ?? []).map(({ id }) => id);
      return { ...told(call, all), ok: false, outcome: 'FAILED', partial_success: false };
    },
    says: (talk) => talk.says('cancela TIM Fashion e Aya Audiobooks').says('sim'),
  }),
  scripted({
    name: 'listed-products',
    title: 'A list in an argument',
    covers: ['COMPLETED', 'multi-item', 'array argument', 'pt-BR'],
    agent: 'telecom_contas',
    says: (talk) => talk.says('quero cancelar os produtos 1001, 1002 e 1003').says('sim'),
  }),
];
