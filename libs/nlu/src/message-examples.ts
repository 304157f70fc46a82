import { type Locale } from '@latch/contracts';
import { type MessageClass, type RankedState } from '@latch/transaction';

/** A sentence of a message class, in each language, and the state in which it wins. */
export type MessageExample = {
  readonly saidIn: RankedState;
  /** What else has to be so; null: nothing. */
  readonly when: string | null;
  readonly texts: Readonly<Record<Locale, string>>;
};

/**
 * One sentence of each class of the precedence table. The reference page of the table shows them, and a test says each of them in each state and each
 * language: what the page claims is what happens.
 */
export const messageExamples: Readonly<Record<MessageClass, MessageExample>> = {
  stale_answer: {
    saidIn: 'AWAITING_CONFIRMATION',
    when: 'by somebody else, or by a button of another proposal',
    texts: { 'pt-BR': 'sim', en: 'yes', es: 'sí' },
  },
  fills_parameter: {
    saidIn: 'COLLECTING_PARAMETERS',
    when: 'the number of the order is asked for',
    texts: { 'pt-BR': 'o pedido é o PED-1001', en: 'the order is PED-1001', es: 'el pedido es el PED-1001' },
  },
  amends: {
    saidIn: 'AWAITING_CONFIRMATION',
    when: 'PED-1001 was shown',
    texts: { 'pt-BR': 'não, é o PED-1002', en: 'no, it is PED-1002', es: 'no, es el PED-1002' },
  },
  abandons: {
    saidIn: 'COLLECTING_PARAMETERS',
    when: null,
    texts: { 'pt-BR': 'esquece', en: 'forget it', es: 'olvídalo' },
  },
  new_intent: {
    saidIn: 'COLLECTING_PARAMETERS',
    when: 'something else than the tracking is open',
    texts: { 'pt-BR': 'quero rastrear pedido', en: 'I want to track an order', es: 'quiero rastrear un pedido' },
  },
  side_question: {
    saidIn: 'COLLECTING_PARAMETERS',
    when: 'routing.yaml has a fixed answer',
    texts: {
      'pt-BR': 'qual o horário de atendimento?',
      en: 'what are your opening hours?',
      es: '¿cuál es el horario de atención?',
    },
  },
  resumes: {
    saidIn: 'IDLE',
    when: 'a transaction is parked',
    texts: { 'pt-BR': 'vamos retomar', en: "let's continue", es: 'vamos a continuar' },
  },
  declines_resume: {
    saidIn: 'IDLE',
    when: 'a parked transaction was offered',
    texts: { 'pt-BR': 'não', en: 'no', es: 'no' },
  },
  retries_failed: {
    saidIn: 'IDLE',
    when: null,
    texts: {
      'pt-BR': 'tenta de novo os que falharam',
      en: 'try again the ones that failed',
      es: 'intenta de nuevo los que fallaron',
    },
  },
  confirms: { saidIn: 'AWAITING_CONFIRMATION', when: null, texts: { 'pt-BR': 'sim', en: 'yes', es: 'sí' } },
  declines: { saidIn: 'AWAITING_CONFIRMATION', when: null, texts: { 'pt-BR': 'não', en: 'no', es: 'no' } },
  invalid_value: {
    saidIn: 'COLLECTING_PARAMETERS',
    when: 'an order is PED- and four digits',
    texts: { 'pt-BR': 'o pedido é o PED-1', en: 'the order is PED-1', es: 'el pedido es el PED-1' },
  },
  same_intent: {
    saidIn: 'COLLECTING_PARAMETERS',
    when: 'the cancellation is open',
    texts: { 'pt-BR': 'quero cancelar pedido', en: 'I want to cancel an order', es: 'quiero cancelar un pedido' },
  },
  domain_word: {
    saidIn: 'COLLECTING_PARAMETERS',
    when: null,
    texts: { 'pt-BR': 'e a entrega?', en: 'what about the delivery?', es: '¿y la entrega?' },
  },
  unclear: {
    saidIn: 'COLLECTING_PARAMETERS',
    when: null,
    texts: { 'pt-BR': 'não sei', en: "I don't know", es: 'no sé' },
  },
};
