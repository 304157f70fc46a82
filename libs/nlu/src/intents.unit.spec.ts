import { describe, expect, it } from '@jest/globals';
import { type Locale } from '@latch/contracts';
import { agent, intent, nothingOpen, read, rows } from './sample-agents.features.ts';

type Command = { readonly text: string; readonly locale: Locale; readonly intent: string };

const commands: readonly Command[] = rows('utterances.jsonl', (row) => ({
  text: String(row.text),
  locale: row.language === 'en' || row.language === 'es' ? row.language : 'pt-BR',
  intent: String(row.intent),
}));

/** Every other command is an example, the rest is asked. */
function halves(locale: Locale): { readonly known: readonly Command[]; readonly asked: readonly Command[] } {
  const own = commands.filter((command) => command.locale === locale);
  return { known: own.filter((_, index) => index % 2 === 0), asked: own.filter((_, index) => index % 2 === 1) };
}

function agentOf(known: readonly Command[], locale: Locale): ReturnType<typeof agent> {
  const names = [...new Set(known.map((command) => command.intent))];
  const examplesOf = (name: string): readonly string[] =>
    known.filter((command) => command.intent === name).map(({ text }) => text);
  return agent({ locale, intents: names.map((name) => intent(name, null, { examples: examplesOf(name) })) });
}

describe('routing of recorded commands by examples', () => {
  it.each(['pt-BR', 'en', 'es'] as const)('%s: finds the intent of every command that is an example', (locale) => {
    const { known } = halves(locale);
    const by = agentOf(known, locale);
    const wrong = known.filter((command) => {
      const found = read(command.text, by, nothingOpen).intent;
      return found?.intent !== command.intent && found?.runnerUp?.intent !== command.intent;
    });
    expect(wrong.map(({ text }) => text)).toEqual([]);
  });

  it.each([
    ['pt-BR', 0.6, 0.1],
    ['en', 0.6, 0.1],
    ['es', 0.6, 0.1],
  ] as const)(
    '%s: routes at least %p of unseen commands, and calls at most %p wrongly clear',
    (locale, least, most) => {
      const { known, asked } = halves(locale);
      const by = agentOf(known, locale);
      const found = asked.map((command) => ({ command, intent: read(command.text, by, nothingOpen).intent }));
      const right = found.filter((each) => each.intent?.intent === each.command.intent);
      const misled = found.filter(
        (each) => each.intent?.isClear === true && each.intent.intent !== each.command.intent,
      );
      expect(right.length / asked.length).toBeGreaterThanOrEqual(least);
      expect(misled.length / asked.length).toBeLessThanOrEqual(most);
    },
  );
});
