import { type Texts } from './texts.ts';

/** English. */
export const en: Texts = {
  help: 'I did not understand. Could you say it another way?',
  helpWith: 'I can help with:',
  askFor: (label) => `Please tell me ${label}.`,
  notUnderstood: 'I did not understand the answer.',
  confirm: (tool) => `Do you confirm ${tool}?`,
  confirmWhy: {
    unclear: 'It is not clear to me whether you confirm.',
    amended: 'All right, I changed what you asked for.',
    renewed: 'Before I go on, I need your confirmation once more.',
  },
  answerYesOrNo: 'Please answer "yes" or "no".',
  answerOrChange: 'Please answer "yes", "no", or say what to change.',
  likelyRefused: 'Sent along, but likely to be refused:',
  done: (tool) => `All right, this is done: ${tool}.`,
  partlyDone: (tool) => `Only a part was done (${tool}):`,
  notDone: (tool) => `I could not complete ${tool}.`,
  unknown: (tool) =>
    `I do not know the result yet: I sent ${tool}, but no answer arrived. I am checking; please do not repeat the request.`,
  unknownForPerson: (tool) =>
    `I do not know the outcome: I sent ${tool}, but no answer came. A person will check; please do not repeat the request.`,
  readFailed: (tool) => `I could not complete ${tool}: no answer arrived.`,
  counts: ({ succeeded, failed, unknown }) =>
    [count(succeeded, 'done'), count(failed, 'not done'), count(unknown, 'with no known result')]
      .filter((part) => part !== '')
      .join(', '),
  itemSucceeded: 'done',
  itemFailed: 'not done',
  itemUnknown: 'outcome unknown for now',
  protocol: (protocol) => `protocol ${protocol}`,
  nothingFound: 'I looked it up and found nothing.',
  reason: (reason) => `Reason: ${reason}`,
  byCategory: {
    transient: 'The system is not responding at the moment.',
    permission: 'This needs an authorization that I do not have; a person can help.',
  },
  alternatives: 'Alternatives:',
  afterwards: (reason) => `After that, an auxiliary step failed (${reason}). What is said above still holds.`,
  retryItems: 'If you like, say "try again" for the ones that failed.',
  retryAll: 'If you like, say "try again".',
  laterOnly: 'Please try later.',
  notEligible: (tool) => `It is not possible to go on with ${tool}.`,
  validationFailed: (tool) => `I could not check the details, so nothing was done about ${tool}.`,
  cancelled: (tool) => `All right, I will not go on with ${tool}. Nothing was executed.`,
  expired: (tool) => `The time to confirm is over: ${tool} was not executed. If you still want it, just ask again.`,
  working: (tool) => `I am already working on this: ${tool}. I will tell you as soon as there is a result.`,
  parked: (tool) => `I put this on hold: ${tool}.`,
  offerResume: (tool) => `Shall we go back to ${tool}?`,
  resumed: (tool) => `Let us go back to ${tool}.`,
  nothingToConfirm: 'There is nothing waiting for a confirmation.',
  staleConfirmation: 'That confirmation was for a request that has changed or ended, so it executed nothing.',
  notYoursToConfirm: 'Only the person who asked for this can answer for it, so nothing was executed.',
  handoff: 'I will hand you over to a person.',
  inconsistent: 'I lost track of this conversation and will not execute anything. Please tell me again what you need.',
  yes: 'yes',
  no: 'no',
  more: (amount) => `... and ${amount} more`,
  attachment: '(attached content)',
  reasons: {
    not_found: 'not found',
    item_nao_encontrado: 'not found',
    nao_encontrado: 'not found',
    already_shipped: 'already shipped',
    already_cancelled: 'already cancelled',
    already_delivered: 'already delivered',
    not_eligible: 'not eligible',
    nao_elegivel: 'not eligible',
    locked: 'locked',
    timeout: 'the system did not answer in time',
  },
  fields: {
    order_id: 'Order',
    valor: 'Amount',
    vencimento: 'Due date',
    itens: 'Items',
    id: 'Code',
    protocolo: 'Protocol',
  },
};

function count(amount: number, what: string): string {
  return amount === 0 ? '' : `${amount} ${what}`;
}
