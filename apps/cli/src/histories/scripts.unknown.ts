import { type HistoryScript, scripted, silent } from './history-script.ts';

/** Conversations in which nobody knows, at first or for ever, whether a call had its effect. */
export const unknownScripts: readonly HistoryScript[] = [
  scripted({
    name: 'unknown-and-reconciled',
    title: 'No answer in time; the reconcile tool finds the effect',
    covers: ['COMPLETED', 'OUTCOME_UNKNOWN', 'reconcile', 'pt-BR'],
    agent: 'retail_orders',
    domain: silent,
    says: (talk) => {
      talk.says('quero cancelar o pedido PED-1001').says('sim').answers({ ok: false, outcome: 'UNKNOWN' });
      talk
        .waits(40)
        .answers({ outcome: 'SUCCESS', data: { found: true, status: 'CANCELADO' } })
        .says('e aí?');
    },
  }),
  scripted({
    name: 'unknown-without-effect',
    title: 'No answer in time; later the reconcile tool finds nothing',
    covers: ['FAILED', 'OUTCOME_UNKNOWN', 'reconcile', 'pt-BR'],
    agent: 'retail_orders',
    domain: silent,
    says: (talk) => {
      talk.says('quero cancelar o pedido PED-1001').says('sim').answers({ ok: false, outcome: 'UNKNOWN' });
      talk.waits(600).answers({ ok: true, outcome: 'SUCCESS', data: { found: false } });
      talk
        .waits(600)
        .answers({ ok: true, outcome: 'SUCCESS', data: { found: false } })
        .says('e aí?');
    },
  }),
  scripted({
    name: 'unknown-for-good',
    title: 'No answer, and nobody who can be asked: unknown stays unknown',
    covers: ['OUTCOME_UNKNOWN', 'en'],
    agent: 'shop',
    domain: silent,
    says: (talk) => {
      talk.says('I want to return an order').says('PED-1001').says('yes').answers({ ok: false, outcome: 'UNKNOWN' });
      talk.says('what happened?').says('I want to track an order').says('PED-2002');
    },
  }),
  scripted({
    name: 'unknown-set-aside',
    title: 'The user turns to something else; the late answer still counts',
    covers: ['COMPLETED', 'OUTCOME_UNKNOWN', 'set aside', 'late answer', 'pt-BR'],
    agent: 'retail_orders',
    domain: silent,
    says: (talk) => {
      talk.says('quero cancelar o pedido PED-1001').says('sim');
      const call = talk.calls.at(-1);
      talk.answers({ ok: false, outcome: 'UNKNOWN' }).says('quero rastrear o pedido PED-2002');
      talk.answers({ outcome: 'SUCCESS', data: { status: 'CANCELADO' } }, call).says('obrigado');
    },
  }),
];
