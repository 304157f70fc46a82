import { describe, expect, it } from '@jest/globals';
import { type Locale } from '@latch/contracts';
import { type MessageClass, messageClasses, precedence, type RankedState, rankedStates } from '@latch/transaction';
import { messageExamples } from './message-examples.ts';
import { SpokenConversation } from './talk-in-language.features.ts';

const locales: readonly Locale[] = ['pt-BR', 'en', 'es'];

/** Says the example of a class in a state. What takes up, or declines, something interrupted is said over something interrupted. */
function said(name: MessageClass, state: RankedState, locale: Locale): ReturnType<SpokenConversation['lastRanking']> {
  const isParked = name === 'resumes' || name === 'declines_resume';
  const talk = SpokenConversation.in(state, { locale, isParked });
  talk.says(messageExamples[name].texts[locale], name === 'stale_answer' ? 'bruno' : 'ana');
  return talk.lastRanking();
}

/** Where a message can be of a class at all: what was shown or asked for is there in these states only. The others can be said anywhere. */
const sayableIn: Partial<Record<MessageClass, readonly RankedState[]>> = {
  stale_answer: ['AWAITING_CONFIRMATION'],
  fills_parameter: ['COLLECTING_PARAMETERS'],
  amends: ['AWAITING_CONFIRMATION'],
  resumes: rankedStates.filter((state) => state !== 'INCONSISTENT'),
  declines_resume: ['IDLE'],
  invalid_value: ['COLLECTING_PARAMETERS'],
  same_intent: ['COLLECTING_PARAMETERS', 'AWAITING_CONFIRMATION', 'EXECUTING', 'OUTCOME_UNKNOWN'],
};

/** What the same sentence is where the table has no line for its class, or where it cannot be of it. */
const otherwise: Partial<Record<MessageClass, readonly MessageClass[]>> = {
  stale_answer: ['confirms'],
  fills_parameter: ['domain_word'],
  amends: ['fills_parameter'],
  declines_resume: ['declines'],
  invalid_value: ['domain_word'],
  same_intent: ['new_intent'],
};

function isSayable(name: MessageClass, state: RankedState): boolean {
  return sayableIn[name]?.includes(state) ?? true;
}

/** The line of its class, else the first one of what it is otherwise. */
function expectedRule(name: MessageClass, state: RankedState): MessageClass {
  const lines = precedence[state].map(({ message }) => message);
  const found = isSayable(name, state) && lines.includes(name) ? name : undefined;
  return found ?? lines.find((line) => otherwise[name]?.includes(line)) ?? 'unclear';
}

describe.each(locales)('in %s', (locale) => {
  describe.each(rankedStates)('in %s', (state) => {
    it.each(messageClasses)('a sentence of the class %s is read as one and ranked by the table', (name) => {
      const { status, rule, classes } = said(name, state, locale);
      expect(status).toBe(state);
      expect(classes.includes(name)).toBe(isSayable(name, state));
      expect(rule).toBe(expectedRule(name, state));
    });
  });

  it.each(messageClasses)('the example of %s wins where the reference page says so', (name) => {
    expect(said(name, messageExamples[name].saidIn, locale)).toMatchObject({ rule: name });
  });
});
