import { type Locale } from '@latch/contracts';
import { messageExamples } from '@latch/nlu';
import {
  type MessageClass,
  messageClasses,
  messageClassMeanings,
  precedence,
  type RankedState,
  rankedStates,
  turnActionMeanings,
} from '@latch/transaction';

/** The reference page of the precedence table, from the table that the engine itself uses. The same sources always give the same text. */
export function precedencePage(): string {
  return `# Precedence of messages

Generated from \`libs/transaction/src/precedence.ts\` and \`libs/nlu/src/message-examples.ts\` by \`npm run latch docs generate\`; a test fails when this page and they differ.

A message can often be read in more than one way: "esquece, quero ver minha fatura" gives something up *and* names a new intent. Which reading counts depends on the state that the message meets.
Read a column from 1 upwards: **the first line whose class the message is of, counts**; every message is at least \`unclear\`. A cell without a number: that
class counts for nothing in that state, and a later line applies. [\`latch explain\`](../how-to/explain-a-turn.md) shows for any turn which line won and what lost.

While parameters are pending, the order is that of the specification: a pending parameter clearly filled, explicit abandon, unequivocal new intent, a generic word never interrupts, ambiguous keeps
and clarifies. Where a button or a form says anything, the text beside it is not read; it enters the same table.

${table(['message class', ...rankedStates.map((state) => `\`${state}\``)], messageClasses.map(classRow))}

## When a message is of a class

${table(
  ['class', 'when'],
  messageClasses.map((name) => [`\`${name}\``, messageClassMeanings[name]]),
)}

## What is done

${table(
  ['action', 'it'],
  Object.entries(turnActionMeanings).map(([action, meaning]) => [`\`${action}\``, meaning]),
)}

## A sentence of each class

Each of them is said in each state, in each language, by \`libs/nlu/src/precedence-in-every-language.unit.spec.ts\`; in the state of this table it wins.

${table(
  ['class', ...locales, 'said in', 'when'],
  messageClasses.map((name) => exampleRow(name)),
)}
`;
}

const locales: readonly Locale[] = ['pt-BR', 'en', 'es'];

function classRow(name: MessageClass): readonly string[] {
  return [`\`${name}\``, ...rankedStates.map((state) => lineOf(state, name))];
}

function lineOf(state: RankedState, name: MessageClass): string {
  const index = precedence[state].findIndex(({ message }) => message === name);
  const row = precedence[state][index];
  return row === undefined ? '' : `${index + 1}. \`${row.action}\``;
}

function exampleRow(name: MessageClass): readonly string[] {
  const { texts, saidIn, when } = messageExamples[name];
  return [`\`${name}\``, ...locales.map((locale) => texts[locale]), `\`${saidIn}\``, when ?? ''];
}

function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heading, heading.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
