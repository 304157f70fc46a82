/**
 * What a message can be, seen from the state it meets. One message may be several at once ("esquece, quero ver minha fatura" abandons and
 * names a new intent); the precedence table says which one counts.
 */
export const messageClasses = [
  /** A yes or no for another proposal than the current one, or by another user. */
  'stale_answer',
  /** A pending parameter is clearly filled, or a collected one corrected. */
  'fills_parameter',
  /** A change of the proposal: fewer items, another item, another value. */
  'amends',
  'abandons',
  /** An unequivocal intent for another tool than the open one. */
  'new_intent',
  /** An unequivocal intent that has a fixed answer and runs nothing. */
  'side_question',
  /** Takes a parked transaction up again. */
  'resumes',
  /** Declines the offer to take it up. */
  'declines_resume',
  /** "tenta de novo os que falharam". */
  'retries_failed',
  'confirms',
  'declines',
  /** A value was given for a pending parameter and breaks its declaration. */
  'invalid_value',
  /** The intent that is open already, named again. */
  'same_intent',
  /** A generic word of the agent's domain. */
  'domain_word',
  /** Nothing of the above; every message is at least this. */
  'unclear',
] as const;
export type MessageClass = (typeof messageClasses)[number];
