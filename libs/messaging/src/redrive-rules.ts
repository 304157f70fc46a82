import { type ErrorCode, type Topic, topics } from '@latch/contracts';

/** Whether messages of a topic, or with a reason, may be sent again, and why not. */
export type RedriveRule = { readonly may: true } | { readonly may: false; readonly why: string };

const yes: RedriveRule = { may: true };
const no = (why: string): RedriveRule => ({ may: false, why });

/** What may be put back on which topic. What drives a conversation may: its consumers know a message that comes twice. */
export const redriveTopics: Readonly<Record<Topic, RedriveRule>> = {
  [topics.turns]: yes,
  [topics.toolInvocations]: yes,
  [topics.toolExecutions]: yes,
  [topics.toolResults]: yes,
  [topics.responses]: no(
    'an answer goes to whoever listens to the topic, and a channel would say it a second time; the answer itself is not lost, the turn has it',
  ),
  [topics.signals]: no('an old signal would raise an alarm again that is over; what it told stands in the evidence'),
  [topics.evaluations]: no('no service of ours consumes it'),
  [topics.deadLetters]: no('it is a letter about a letter'),
};

/**
 * For which reasons a message may be sent again. A reason that may is no promise: the message is read and its signature verified again, and it stays where it is
 * when this release would bury it for the same reason.
 */
export const redriveCodes: Readonly<Partial<Record<ErrorCode, RedriveRule>>> = {
  'message.unhandled': yes,
  internal: yes,
  'agent.unknown': yes,
  'message.unparsable': yes,
  'message.invalid': yes,
  'contract.unsupported_version': yes,
  'message.not_authentic': yes,
  'auth.forbidden': no('its conversation belongs to another tenant, and that does not change'),
};

/** The rule for a reason; one that no consumer of this release gives is not guessed at. */
export function ruleOfCode(code: string): RedriveRule {
  const known = Object.entries(redriveCodes).find(([name]) => name === code);
  return (
    known?.[1] ?? no('no consumer of this release gives this reason, so nobody knows what it means to send it again')
  );
}
