import { type CliSettings } from '../config.ts';
import { type FilterOptions, filterOf, isMeant, limitOf } from '../letters/letter-filter.ts';
import { letterTable, reportLetter, type ReportedLetter } from '../letters/letter-lines.ts';
import { type Letter } from '../letters/letter.ts';
import { readLetterSettings } from '../letters/letter-settings.ts';
import { readLetters } from '../letters/read-letters.ts';
import { runCommand } from '../run-command.ts';
import { print, printLines } from '../terminal.ts';

/** Options of `latch dead-letters list`. */
export type LettersListOptions = FilterOptions & { readonly json?: boolean };

/** `latch dead-letters list`: the newest letters, masked, and what became of each. Ends with 0, and with 2 when the topic cannot be read. */
export async function listDeadLetters(settings: CliSettings, options: LettersListOptions): Promise<void> {
  await runCommand(options, async () => {
    const [filter, limit] = [filterOf(options), limitOf(options, 50)];
    const newest: Letter[] = [];
    let total = 0;
    const { history, strange } = await readLetters(readLetterSettings(settings), (letter) => {
      if (!isMeant(letter, filter)) return;
      total += 1;
      newest.push(letter);
      if (newest.length >= 2 * limit) keepNewest(newest, limit);
    });
    keepNewest(newest, limit);
    const letters = newest.map((letter) => reportLetter({ letter, sentAgain: history.of(letter) }));
    if (options.json) print(JSON.stringify({ word: 'dead-letters', total, strange, letters }));
    else printLines(linesOf(letters, { total, strange }));
    return true;
  });
}

/** The newest first. */
function keepNewest(letters: Letter[], limit: number): void {
  letters.sort((a, b) => Date.parse(b.content.failed_at) - Date.parse(a.content.failed_at));
  letters.splice(limit);
}

function linesOf(
  letters: readonly ReportedLetter[],
  { total, strange }: { readonly total: number; readonly strange: number },
): readonly string[] {
  const other =
    strange === 0 ? [] : [`${strange} records of the topic are no letters of a service of ours, and are left out.`];
  if (total === 0) return ['No dead letters.', ...other];
  const more = total > letters.length ? [`... and ${total - letters.length} older ones; --limit shows more`] : [];
  return [...letterTable(letters), ...more, ...other];
}
