import { type HistoryScript, scripted } from './history-script.ts';

/** The same refund in English and in Spanish: collected, corrected, confirmed; and declined. */
export const languageScripts: readonly HistoryScript[] = [
  scripted({
    name: 'english-refund',
    title: 'A refund in English, corrected at the confirmation',
    covers: ['COMPLETED', 'correction', 'en'],
    agent: 'shop',
    says: (talk) =>
      talk
        .says('I want a refund')
        .says("it's ped-1001, please")
        .says('$1,234.56')
        .says("I'm not sure")
        .says('actually it is 80 dollars')
        .says('yes, go ahead'),
  }),
  scripted({
    name: 'english-declined',
    title: 'A refund in English that is declined, and a tracking',
    covers: ['CANCELLED', 'COMPLETED', 'en'],
    agent: 'shop',
    says: (talk) =>
      talk
        .says('I want a refund')
        .says('PED-1001')
        .says('80 dollars')
        .says('no, thanks')
        .says('I want to track an order')
        .says('PED-1001'),
  }),
  scripted({
    name: 'spanish-refund',
    title: 'A refund in Spanish, corrected at the confirmation',
    covers: ['COMPLETED', 'correction', 'es'],
    agent: 'tienda',
    says: (talk) =>
      talk
        .says('quiero un reembolso')
        .says('el pedido es ped-1001, por favor')
        .says('1.234,56 euros')
        .says('no estoy seguro')
        .says('en realidad son 80 euros')
        .says('sí, adelante'),
  }),
  scripted({
    name: 'spanish-abandoned',
    title: 'A refund in Spanish that is given up for a tracking',
    covers: ['CANCELLED', 'abandon', 'es'],
    agent: 'tienda',
    says: (talk) => talk.says('quiero un reembolso').says('olvídalo, quiero rastrear un pedido').says('PED-2002'),
  }),
];
