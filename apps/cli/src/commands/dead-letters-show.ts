import { type CliSettings } from '../config.ts';
import { checkWithStore } from '../letters/check-with-store.ts';
import { chooseLetters } from '../letters/choose-letters.ts';
import { letterPage, reportLetter, verdictLine } from '../letters/letter-lines.ts';
import { readLetterSettings } from '../letters/letter-settings.ts';
import { planRedrive, type Verdict } from '../letters/plan-redrive.ts';
import { withStoreToAsk } from '../letters/with-store-to-ask.ts';
import { runCommand } from '../run-command.ts';
import { print, printLines } from '../terminal.ts';

/** Options of `latch dead-letters show`. */
export type LettersShowOptions = { readonly json?: boolean };

/** `latch dead-letters show`: one letter, masked, why it died, and whether its message may be sent again. Ends with 0, and with 2 when there is no such letter. */
export async function showDeadLetter(settings: CliSettings, id: string, options: LettersShowOptions): Promise<void> {
  await runCommand(options, async () => {
    const letterSettings = readLetterSettings(settings);
    const chosen = await chooseLetters(letterSettings, { ids: [id], filter: {}, limit: 1, again: true });
    const [found] = chosen.letters;
    if (found === undefined) throw new Error(`there is no letter ${id} any more`);
    const now = new Date().toISOString();
    const { latestTurns } = chosen;
    const context = { sentAgain: found.sentAgain, latestTurns, signing: letterSettings.signing, again: false, now };
    const planned = planRedrive(found.letter, { ...context, evenIfOld: false });
    const { verdict, doubt } = await askStore(settings, planned);
    const letter = reportLetter(found);
    if (options.json) print(JSON.stringify({ word: 'dead-letter', letter, redrive: reportOf(verdict), doubt }));
    else printLines(letterPage(letter, { may: verdictLine(found.letter, verdict), doubt }));
    return true;
  });
}

/** A letter can be looked at without the event store; what it would say stays open then. */
async function askStore(
  settings: CliSettings,
  planned: Verdict,
): Promise<{ readonly verdict: Verdict; readonly doubt: string | null }> {
  if (!planned.may) return { verdict: planned, doubt: null };
  try {
    const refusal = await withStoreToAsk(settings, (store) => checkWithStore(store, planned.redrivable));
    return { verdict: refusal === null ? planned : { may: false, refusal }, doubt: null };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { verdict: planned, doubt: `the event store was not asked, and may say otherwise: ${reason}` };
  }
}

function reportOf(verdict: Verdict): { readonly may: boolean; readonly word?: string; readonly why?: string } {
  return verdict.may ? { may: true } : { may: false, ...verdict.refusal };
}
