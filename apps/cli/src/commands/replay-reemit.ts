import { randomUUID } from 'node:crypto';
import { topics } from '@latch/contracts';
import { type EventStore, type StreamFilter } from '@latch/event-store';
import { openReplayPublisher, type ReplayPublisher } from '@latch/messaging';
import { createLogger } from '@latch/observability';
import { type CliSettings } from '../config.ts';
import { withAuditedStore } from '../replay/with-audited-store.ts';
import { isReemittable, reemittable, type Reemission } from '../replay/messages-of-stream.ts';
import { progressBar } from '../replay/progress-bar.ts';
import { readCursor, type ReemissionCursor, writeCursor } from '../replay/reemission-cursor.ts';
import { reemitStreams } from '../replay/reemit-streams.ts';
import { kafkaPlaceOf } from '../replay/kafka-place-of.ts';
import { instantOption, runCommand, wholeNumberOption } from '../run-command.ts';
import { stopSignal } from '../system/stop-signal.ts';
import { print } from '../terminal.ts';

/** Options of `latch replay reemit`. */
export type ReemitOptions = {
  readonly topic: string;
  readonly from: string;
  readonly to: string;
  readonly toTopic?: string;
  readonly tenant?: string;
  readonly rate?: string;
  readonly limit?: string;
  readonly resume?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
};

/**
 * `latch replay reemit`: publishes again what was published to a topic in a stretch of time, marked as replay. Ends with 0 when all of it is published, and
 * with 1 when it was stopped, by its limit or by hand: `--resume` goes on.
 */
export async function replayReemit(settings: CliSettings, options: ReemitOptions): Promise<void> {
  await runCommand(options, async () => {
    const request = requestOf(options);
    const cursor = readCursor(options.resume, { request: { ...request }, runId: randomUUID() });
    if (cursor.isDone) return done(cursor, options);
    const publisher = await openPublisher(settings, request.target, options);
    try {
      return await withAuditedStore(settings, (store) => reemit(store, { request, cursor, publisher, options }));
    } finally {
      await publisher?.close();
    }
  });
}

type Request = Reemission & { readonly tenant: string | null; readonly target: string };

function requestOf({ topic, toTopic, tenant, ...times }: ReemitOptions): Request {
  if (!isReemittable(topic)) {
    throw new Error(
      `what was published to ${topic} is not in the event store. There are: ${Object.keys(reemittable).join(', ')}`,
    );
  }
  const [from, to] = [instantOption('from', times.from), instantOption('to', times.to)];
  if (from === undefined || to === undefined || from >= to) throw new Error('--from must be before --to');
  if (toTopic !== undefined && toTopic !== topic && Object.values<string>(topics).includes(toTopic)) {
    throw new Error(`--to-topic must not be another topic of Latch: ${toTopic}`);
  }
  return { topic, from, to, tenant: tenant ?? null, target: toTopic ?? topic };
}

async function openPublisher(
  settings: CliSettings,
  target: string,
  { dryRun }: ReemitOptions,
): Promise<ReplayPublisher | null> {
  if (dryRun) return null;
  const logger = createLogger({ service: 'latch', level: 'silent' });
  return openReplayPublisher({ ...kafkaPlaceOf(settings), topic: nameOf(settings, target), logger });
}

/** A topic of Latch has the deployment's prefix; one of somebody else is named as it is. */
function nameOf(settings: CliSettings, target: string): string {
  return isReemittable(target) ? settings.LATCH_TOPIC_PREFIX + target : target;
}

type Job = {
  readonly request: Request;
  readonly cursor: ReemissionCursor;
  readonly publisher: ReplayPublisher | null;
  readonly options: ReemitOptions;
};

async function reemit(store: EventStore, { request, cursor, publisher, options }: Job): Promise<boolean> {
  const filter = filterOf(request, cursor);
  const bar = progressBar(await store.streams.count(filter));
  const seen = { conversations: 0, events: 0 };
  const signal = stopSignal();
  const end = await reemitStreams(store, store.streams.read(filter), {
    what: request,
    cursor,
    rate: wholeNumberOption('rate', options.rate, 1) ?? 100,
    limit: wholeNumberOption('limit', options.limit, 1),
    publish: async (messages) => publisher?.publish(messages),
    onProgress: (at, { events }) => {
      seen.conversations += 1;
      seen.events += events.length;
      bar.show(seen);
      if (!options.dryRun) writeCursor(options.resume, at);
    },
    isStopped: () => signal.aborted,
  });
  if (!options.dryRun) writeCursor(options.resume, end);
  bar.done();
  return done(end, options);
}

function filterOf({ from, tenant }: Request, { after }: ReemissionCursor): StreamFilter {
  return { changedSince: from, ...(tenant !== null && { tenantId: tenant }), ...(after !== null && { after }) };
}

function done(cursor: ReemissionCursor, { json, dryRun, resume }: ReemitOptions): boolean {
  const { published, isDone, runId } = cursor;
  const verb = dryRun ? 'would be published' : 'published';
  if (json)
    print(
      JSON.stringify({
        word: 'reemit',
        outcome: isDone ? 'done' : 'stopped',
        published,
        run_id: runId,
        dry_run: dryRun ?? false,
      }),
    );
  else {
    print(`${published} messages ${verb} again, marked as replay ${runId}`);
    if (!isDone)
      print(
        resume === undefined
          ? 'stopped before the end; --resume FILE would let it go on'
          : `stopped before the end; ${resume} holds the place`,
      );
  }
  return isDone;
}
