import { type ChannelResponse, ResultItem } from '@latch/contracts';
import { z } from 'zod';
import { type ExpectedAnswer } from './scenario.ts';

/** What is wrong with an answer, in sentences; an empty list: nothing. */
export function checkAnswer(response: ChannelResponse, expected: ExpectedAnswer): readonly string[] {
  const { metadata, text } = response;
  return [
    ...differs('transaction_status', metadata.transaction_status, expected.status),
    ...(expected.intent === undefined ? [] : differs('intent', metadata.intent, expected.intent)),
    ...differs('missing_parameters', metadata.missing_parameters ?? [], expected.missing ?? []),
    ...(expected.outcome === undefined ? [] : differs('outcome', metadata.outcome, expected.outcome)),
    ...(expected.items === undefined ? [] : differs('items', itemsOf(response), expected.items)),
    ...(expected.errorCategory === undefined
      ? []
      : differs('error category', metadata.error?.errorCategory, expected.errorCategory)),
    ...checkText(text, expected),
  ];
}

function checkText(text: string, { names = [], says = [], neverSays = [] }: ExpectedAnswer): readonly string[] {
  return [
    ...names.flatMap((name) => {
      const count = text.split(name).length - 1;
      return count === 1 ? [] : [`the answer names "${name}" ${count} times, not once`];
    }),
    ...says.filter((words) => !text.includes(words)).map((words) => `the answer does not say "${words}"`),
    ...neverSays.filter((words) => text.includes(words)).map((words) => `the answer says "${words}"`),
  ];
}

function itemsOf({ metadata }: ChannelResponse): unknown {
  const items = z.array(ResultItem).safeParse(metadata.items ?? []);
  return items.success ? items.data.map(({ label, outcome }) => ({ label, outcome })) : metadata.items;
}

function differs(what: string, actual: unknown, expected: unknown): readonly string[] {
  const [is, shouldBe] = [JSON.stringify(actual), JSON.stringify(expected)];
  return is === shouldBe ? [] : [`${what} is ${is}, not ${shouldBe}`];
}
