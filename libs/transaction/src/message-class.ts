/**
 * What a message can be, seen from the state it meets, and when it is that. One message may be several at once ("esquece, quero ver minha fatura" abandons and
 * names a new intent); the precedence table says which one counts. The reference page of the table and every explanation of a turn show these sentences.
 */
export const messageClassMeanings = {
  stale_answer: 'A yes or no for another proposal than the current one, or by another user.',
  fills_parameter: 'A pending parameter is clearly filled, or a collected one corrected.',
  amends: 'A change of the proposal: fewer items or more, another item, another value.',
  abandons: 'The open transaction is given up, in so many words.',
  new_intent: 'An unequivocal intent for another tool than the open one.',
  side_question: 'An unequivocal intent that has a fixed answer and runs nothing.',
  resumes: 'A parked transaction is taken up again.',
  declines_resume: 'The offer to take it up is declined.',
  retries_failed: 'What failed shall be tried again.',
  confirms: 'A plain yes.',
  declines: 'A plain no.',
  invalid_value: 'A value was given for a pending parameter and breaks its declaration.',
  same_intent: 'The intent that is open already, named again.',
  domain_word: "A generic word of the agent's domain.",
  unclear: 'Nothing of the above; every message is at least this.',
} as const satisfies Record<string, string>;
export type MessageClass = keyof typeof messageClassMeanings;

/** The classes in the order above. */
export const messageClasses: readonly MessageClass[] = Object.keys(messageClassMeanings).filter(isMessageClass);

function isMessageClass(name: string): name is MessageClass {
  return Object.hasOwn(messageClassMeanings, name);
}
