import { type HistoryScript, scripted, silent } from './history-script.ts';

/** A conversation for each way in which a transaction may end. */
export const endStateScripts: readonly HistoryScript[] = [
  scripted({
    name: 'completed',
    title: 'Collected, validated, confirmed, done',
    covers: ['COMPLETED', 'pt-BR', 'single item'],
    agent: 'retail_orders',
    says: (talk) => talk.says('quero cancelar pedido').says('o pedido é o PED-1001').says('sim').says('obrigado'),
  }),
  scripted({
    name: 'read-only',
    title: 'A question that needs no confirmation',
    covers: ['COMPLETED', 'pt-BR', 'read only'],
    agent: 'retail_orders',
    says: (talk) => talk.says('onde está o pedido PED-1001'),
  }),
  scripted({
    name: 'declined',
    title: 'A no to the one question',
    covers: ['CANCELLED', 'pt-BR'],
    agent: 'retail_orders',
    says: (talk) => talk.says('quero cancelar o pedido PED-1001').says('não'),
  }),
  scripted({
    name: 'abandoned',
    title: 'Given up in the middle, and the rest of the sentence done',
    covers: ['CANCELLED', 'abandon', 'pt-BR'],
    agent: 'telecom_contas',
    says: (talk) =>
      talk
        .says('quero contestar uma cobrança')
        .says('esquece, quero ver minha fatura', { business_context: { customer_key: '11999990001' } }),
  }),
  scripted({
    name: 'out-of-scope',
    title: 'The validator says that it is not eligible',
    covers: ['OUT_OF_SCOPE', 'pt-BR'],
    agent: 'retail_orders',
    domain: () => ({ data: { eligible: false, reason: 'already_sent' } }),
    says: (talk) => talk.says('quero cancelar o pedido PED-1002'),
  }),
  scripted({
    name: 'failed',
    title: 'The tool says no, for a reason of its business',
    covers: ['FAILED', 'business error', 'pt-BR'],
    agent: 'retail_orders',
    domain: silent,
    says: (talk) => {
      talk.says('quero cancelar o pedido PED-1001').says('sim');
      const message = 'The order has left the warehouse.';
      talk.answers({ ok: false, outcome: 'FAILED', error: { errorCategory: 'business', isRetryable: false, message } });
    },
  }),
  scripted({
    name: 'permission',
    title: 'The tool may not be used: told, and handed to a person',
    covers: ['FAILED', 'permission error', 'hand-off', 'pt-BR'],
    agent: 'retail_orders',
    domain: silent,
    says: (talk) => {
      talk.says('quero cancelar o pedido PED-1001').says('sim');
      const error = { errorCategory: 'permission', isRetryable: false, message: 'Not for this customer.' } as const;
      talk.answers({ ok: false, outcome: 'FAILED', error });
    },
  }),
  scripted({
    name: 'expired-question',
    title: 'Nobody answers the question for a value',
    covers: ['EXPIRED', 'deadline', 'pt-BR'],
    agent: 'retail_orders',
    says: (talk) => talk.says('quero cancelar pedido').waits(3_700).says('PED-1001'),
  }),
  scripted({
    name: 'expired-proposal',
    title: 'The yes comes after the proposal has expired, and no sweeper came by',
    covers: ['EXPIRED', 'late yes', 'pt-BR'],
    agent: 'retail_orders',
    says: (talk) => talk.says('quero cancelar o pedido PED-1001').passes(1_000).says('sim'),
  }),
];
