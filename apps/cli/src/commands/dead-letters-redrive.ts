import { randomUUID } from 'node:crypto';
import { KafkaBus, signRecords } from '@latch/messaging';
import { createLogger } from '@latch/observability';
import { type CliSettings } from '../config.ts';
import { checkWithStore } from '../letters/check-with-store.ts';
import { type Choice, type Chosen, chooseLetters } from '../letters/choose-letters.ts';
import { confirmSending } from '../letters/confirm-sending.ts';
import { type FilterOptions, filterOf, isEmptyFilter, limitOf } from '../letters/letter-filter.ts';
import { type LetterSettings, readLetterSettings } from '../letters/letter-settings.ts';
import { planRedrive } from '../letters/plan-redrive.ts';
import { exitCodeOf, type Planned, redriveReport, reportLines } from '../letters/redrive-report.ts';
import { type LetterToSend, redriveLetters, type Sending } from '../letters/redrive-letters.ts';
import { senderOf } from '../letters/sender-of.ts';
import { withStoreToAsk } from '../letters/with-store-to-ask.ts';
import { exitCodes, runCommand, wholeNumberOption } from '../run-command.ts';
import { stopSignal } from '../system/stop-signal.ts';
import { print, printLines, progress } from '../terminal.ts';

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
 * `latch dead-letters redrive`: puts the messages of some letters back on their topics. Ends with 0 when all that were chosen are there, or would be, with 1 when some
 * were refused, or it was stopped: also by whoever did not say yes, and with 2 when it could not run, or Kafka went away in the middle.
 */
export async function redriveDeadLetters(
  settings: CliSettings,
  ids: readonly string[],
  options: LettersRedriveOptions,
): Promise<void> {
  let exitCode: number = exitCodes.couldNotRun;
  await runCommand(options, async () => {
    const [choice, by] = [choiceOf(ids, options), senderOf(options.by)];
    const [letterSettings, rate] = [readLetterSettings(settings), wholeNumberOption('rate', options.rate, 1) ?? 10];
    const chosen = await chooseLetters(letterSettings, choice);
    const planned = await plan(settings, letterSettings, { chosen, options });
    const sending = options.dryRun ? null : await sendIfConfirmed(letterSettings, planned, { ...options, by, rate });
    const report = redriveReport({ chosen, planned, sending });
    if (options.json) print(JSON.stringify(report));
    else printLines(reportLines(report));
    exitCode = exitCodeOf(report);
    return exitCode === exitCodes.equal;
  });
  process.exitCode = exitCode;
}

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

type HowToSend = Pick<LettersRedriveOptions, 'yes' | 'json'> & { readonly by: string; readonly rate: number };

async function sendIfConfirmed(
  settings: LetterSettings,
  planned: readonly Planned[],
  options: HowToSend,
): Promise<Sending> {
  const letters = planned.flatMap(({ letter, verdict }) =>
    verdict.may ? [{ letter, redrivable: verdict.redrivable }] : [],
  );
  const nothing = { sent: [], tooLarge: [] };
  if (letters.length === 0) return { ...nothing, end: { how: 'all' } };
  const isConfirmed = await confirmSending(letters.length, options);
  return isConfirmed ? send(settings, letters, options) : { ...nothing, end: { how: 'stopped' } };
}

async function send(
  { brokers, security, topicPrefix, signing }: LetterSettings,
  letters: readonly LetterToSend[],
  { rate, by }: HowToSend,
): Promise<Sending> {
  const signal = stopSignal();
  const logger = createLogger({ service: 'latch', level: 'silent' });
  // It makes no topic: `ensureTopics` is never called, and `partitions` says nothing.
  const plain = new KafkaBus({ brokers, security, clientId: 'latch-redrive', topicPrefix, partitions: 1, logger });
  const signed = signing === undefined ? plain : signRecords(plain, signing);
  try {
    return await redriveLetters(letters, {
      ...{ plain, signed, rate, by, runId: randomUUID() },
      now: () => new Date().toISOString(),
      isStopped: () => signal.aborted,
      onProgress: (sent) => tellProgress(sent, letters.length),
    });
  } finally {
    await plain.close();
  }
}

function tellProgress(sent: number, total: number): void {
  if (sent % 100 === 0 && sent > 0) progress(`${sent} of ${total} messages sent`);
}
