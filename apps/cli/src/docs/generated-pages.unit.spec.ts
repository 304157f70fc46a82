import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { messageClasses, precedence } from '@latch/transaction';
import { inCheckout } from '../checkout.ts';
import { generatedPages } from './generated-pages.ts';
import { precedencePage } from './precedence-page.ts';

describe('a generated reference page', () => {
  it.each([...generatedPages()])(
    '%s is committed as the sources say; else: npm run latch docs generate',
    (file, text) => {
      expect(readFileSync(inCheckout(file), 'utf8')).toBe(text);
    },
  );
});

describe('the page of the precedence table', () => {
  const rows = precedencePage().split('\n');

  it('has a row per message class and a column per state, with every line of the table once', () => {
    const [heading = '', , ...classes] = rows.slice(rows.findIndex((row) => row.startsWith('| message class')));
    const states = Object.keys(precedence);
    expect(heading).toBe(`| message class | ${states.map((state) => `\`${state}\``).join(' | ')} |`);
    const own = classes.slice(0, messageClasses.length);
    expect(own.map((row) => /`(\w+)`/.exec(row)?.[1])).toEqual([...messageClasses]);
    const lines = Object.values(precedence).flat();
    expect(own.join('').match(/\d+\. `\w+`/g)).toHaveLength(lines.length);
  });
});
