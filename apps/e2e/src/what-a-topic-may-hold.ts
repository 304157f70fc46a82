import { type Topic, topics } from '@latch/contracts';

/** Kinds of personal data of one conversation. */
export type PersonalKind = 'said' | 'who' | 'context' | 'items';

/** What of a person stands in the clear on a topic, and why it must. */
export type TopicRule = { readonly holds: readonly PersonalKind[]; readonly why: string };

/**
 * Every topic with the personal data that stands on it in the clear (invariant I16, docs/explanation/personal-data.md). A new topic does not compile without its rule, and
 * what a rule allows must really be there: a rule that nobody needs any more fails too.
 */
export const whatATopicMayHold: Readonly<Record<Topic, TopicRule>> = {
  [topics.turns]: {
    holds: ['said', 'who', 'context', 'items'],
    why: 'The engine reads the message, who sent it and what the channel knows of the customer.',
  },
  [topics.toolInvocations]: {
    holds: ['items'],
    why: 'The executor compares what it is asked for with what was approved.',
  },
  [topics.toolExecutions]: {
    holds: ['items'],
    why: 'The normalizer reads what was asked for and what the tool answered.',
  },
  [topics.toolResults]: { holds: ['items'], why: 'The engine and the evaluator read what became of each item.' },
  [topics.responses]: { holds: ['items'], why: 'The answer names what was done, to the person who asked for it.' },
  [topics.signals]: { holds: [], why: 'Monitors need ids, names, counts and states.' },
  [topics.evaluations]: { holds: [], why: 'A verdict names checks and ids.' },
  [topics.deadLetters]: { holds: [], why: 'The bytes are sealed, headers and reason masked; the console opens them.' },
};
