import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { KafkaBus, signRecords } from '@latch/messaging';
import { createLogger } from '@latch/observability';
import { type CliSettings } from '../config.ts';
import { checkWithStore } from '../letters/check-with-store.ts';
import { type Choice, type Chosen, chooseLetters } from '../letters/choose-letters.ts';
import { type FilterOptions, filterOf, isEmptyFilter, limitOf } from '../letters/letter-filter.ts';
import { type LetterSettings, readLetterSettings } from '../letters/letter-settings.ts';
import { planRedrive } from '../letters/plan-redrive.ts';
import { type Planned, redriveReport, reportLines } from '../letters/redrive-report.ts';
import { redriveLetters, type SendingEnd } from '../letters/redrive-letters.ts';
import { withStoreToAsk } from '../letters/with-store-to-ask.ts';
import { runReplay, wholeNumberOption } from '../replay/run-replay.ts';
import { print, progress } from '../terminal.ts';

/** Options of `latch dead-letters redrive`. */
export type LettersRedriveOptions = FilterOptions & {
  readonly again?: boolean;
  readonly evenIfOld?: boolean;
  readonly by?: string;
  readonly rate?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
};

/**
 * `latch dead-letters redrive`: puts the messages of some letters back on their topics. Ends with 0 when all that were chosen are there, with 1 when some were
 * refused or it was stopped, and with 2 when it could not run, or Kafka went away in the middle.
 */
export async function redriveDeadLetters(
  settings: CliSettings,
  ids: readonly string[],
  options: LettersRedriveOptions,
): Promise<void> {
  await runReplay(options, async () => {
    const choice = choiceOf(ids, options);
    const [letterSettings, rate] = [readLetterSettings(settings), wholeNumberOption('rate', options.rate, 1) ?? 10];
    const chosen = await chooseLetters(letterSettings, choice);
    const planned = await plan(settings, letterSettings, { chosen, options });
    const isDry = options.dryRun === true || !(await isConfirmed(planned, options));
    const end = isDry ? nothingSent : await send(letterSettings, planned, { ...options, rate });
    const report = redriveReport({ chosen, planned, end, isDry });
    if (options.json) print(JSON.stringify(report));
    else reportLines(report).forEach((line) => print(line));
    if (end.brokenOff !== null && end.brokenOff !== byHand) throw new Error(end.brokenOff);
    return report.refused === 0 && end.brokenOff === null;
  });
}

const byHand = 'stopped by hand';
const nothingSent: SendingEnd = { sent: [], tooLarge: [], brokenOff: null };
/** The messages of a run are in memory at once. */
const mostAtOnce = 1_000;

/** Never all letters by accident: who names none, and nothing to choose them by, means nothing. */
function choiceOf(ids: readonly string[], options: LettersRedriveOptions): Choice {
  const filter = filterOf(options);
  if (ids.length === 0 && isEmptyFilter(filter))
    throw new Error('say which letters: their ids, or --topic, --code, --tenant, --since or --until');
  if (ids.length > 0 && !isEmptyFilter(filter))
    throw new Error('say which letters by their ids or by options, not by both');
  const limit = Math.max(ids.length, limitOf(options, 100));
  if (limit > mostAtOnce)
    throw new Error(`at most ${mostAtOnce} letters at once: --limit, and run it again for the rest`);
  return { ids, filter, limit, again: options.again ?? false };
}

type Planning = { readonly chosen: Chosen; readonly options: LettersRedriveOptions };

async function plan(
  settings: CliSettings,
  { signing }: LetterSettings,
  { chosen, options }: Planning,
): Promise<readonly Planned[]> {
  const now = new Date().toISOString();
  const context = { latestTurns: chosen.latestTurns, signing, now };
  const wanted = { again: options.again ?? false, evenIfOld: options.evenIfOld ?? false };
  const planned = chosen.letters.map(({ letter, sentAgain }) => ({
    letter,
    verdict: planRedrive(letter, { ...context, ...wanted, sentAgain }),
  }));
  if (!planned.some(({ verdict }) => verdict.may)) return planned;
  return withStoreToAsk(settings, async (store) => {
    const asked: Planned[] = [];
    for (const { letter, verdict } of planned) {
      const refusal = verdict.may ? await checkWithStore(store, verdict.redrivable) : null;
      asked.push({ letter, verdict: refusal === null ? verdict : { may: false, refusal } });
    }
    return asked;
  });
}

/** More than one message is sent only by who says so. */
async function isConfirmed(planned: readonly Planned[], { yes, json }: LettersRedriveOptions): Promise<boolean> {
  const count = planned.filter(({ verdict }) => verdict.may).length;
  if (count < 2 || yes === true) return true;
  if (json === true || process.stdin.isTTY !== true)
    throw new Error(`${count} messages would be sent: --yes sends them, --dry-run shows which`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const said = await terminal.question(`Send ${count} messages again? Type yes: `);
  terminal.close();
  return said.trim().toLowerCase() === 'yes';
}

async function send(
  { brokers, topicPrefix, signing }: LetterSettings,
  planned: readonly Planned[],
  { rate, by }: { readonly rate: number; readonly by?: string },
): Promise<SendingEnd> {
  const letters = planned.flatMap(({ letter, verdict }) =>
    verdict.may ? [{ letter, redrivable: verdict.redrivable }] : [],
  );
  if (letters.length === 0) return nothingSent;
  const logger = createLogger({ service: 'latch', level: 'silent' });
  // It makes no topic: `ensureTopics` is never called, and `partitions` says nothing.
  const plain = new KafkaBus({ brokers, clientId: 'latch-redrive', topicPrefix, partitions: 1, logger });
  const signed = signing === undefined ? plain : signRecords(plain, signing);
  let isStopped = false;
  const stop = (): void => void (isStopped = true);
  process.once('SIGINT', stop);
  try {
    return await redriveLetters(letters, {
      ...{ plain, signed, rate, by: by ?? userInfo().username, runId: randomUUID() },
      now: () => new Date().toISOString(),
      isStopped: () => isStopped,
      onProgress: (sent) => tellProgress(sent, letters.length),
    });
  } finally {
    process.off('SIGINT', stop);
    await plain.close();
  }
}

function tellProgress(sent: number, total: number): void {
  if (sent % 100 === 0 && sent > 0) progress(`${sent} of ${total} messages sent`);
}
