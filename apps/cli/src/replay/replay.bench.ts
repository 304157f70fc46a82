import { type PersonalData } from '@latch/config';
import { createLogger } from '@latch/observability';
import { type ConversationAppend, type EventStore, migrate, openEventStore } from '@latch/event-store';
import { type ReplayProgress } from '@latch/replay';
import { historyAgents } from '../histories/history-agents.ts';
import { PlayedConversation } from '../histories/played-conversation.ts';
import { agreeing } from '../histories/history-script.ts';
import { replayInWorkers } from './replay-in-workers.ts';
import { rebuildJob, redecideJob, type Replayed, type ReplayJob } from './replay-job.ts';

/**
 * How fast a store is folded, verified and decided again, beside what is aimed at, and whether memory stays flat: `npm run bench -- replay -- DATABASE_URL
 * [conversations] [key] [workers]`. Folded and decided again they are on one thread, and, unless one worker is asked for, once more with so many workers (2). The conversations of five turns are led by the real engine, in the given database (an empty one, or one that this has filled), personal
 * data in the clear unless a key is given (32 bytes in base64; `clear` is none). It ends with 1 when a conversation is not equal or a rate is below its aim. On a shared machine the rates of the
 * process's own CPU time say more than those of the clock.
 */
const [databaseUrl = '', count = '5000', key = 'clear', mostWorkers = '2'] = process.argv.slice(2);
const conversations = Number(count);
const workerCounts = [...new Set([1, Number(mostWorkers)])];
const parts = [10, 50, 100] as const;
const aims = { events_rebuilt: 20_000, events_verified: 50_000, turns_redecided: 5_000 } as const;
const logger = createLogger({ service: 'bench', level: 'info' });
const personalData: PersonalData =
  key === 'clear' ? key : { current: 'b', keys: new Map([['b', Buffer.from(key, 'base64')]]) };

await migrate(databaseUrl);
const store = await open('latch_orchestrator');
const auditor = await open('latch_auditor');
if ((await auditor.streams.count()) < conversations) await fill(store);
for (const workers of workerCounts) await measureRebuild(workers);
await measureVerify();
for (const workers of workerCounts) await measureRedecide(workers);
await Promise.all([store.close(), auditor.close()]);

function open(role: 'latch_orchestrator' | 'latch_auditor'): Promise<EventStore> {
  const quiet = createLogger({ service: 'bench', level: 'silent' });
  return openEventStore({ databaseUrl, producer: 'bench', logger: quiet, role, personalData });
}

async function fill(target: EventStore): Promise<void> {
  const begin = performance.now();
  const agentOf = await historyAgents();
  const agent = agentOf('retail_orders');
  await target.saveConfigVersions([agent]);
  const batch = 64;
  // The next conversations are led while the database stores the ones before.
  let storing: Promise<void> = Promise.resolve();
  for (let from = 0; from < conversations; from += batch) {
    const some = Array.from({ length: Math.min(batch, conversations - from) }, (_, index) => {
      const talk = new PlayedConversation({ agent, sessionId: `bench-${from + index}`, domain: agreeing });
      const order = `PED-${1000 + ((from + index) % 9000)}`;
      return talk
        .says('quero cancelar pedido')
        .says('não sei')
        .says(`o pedido é o ${order}`)
        .says('sim')
        .says('obrigado')
        .append();
    });
    await storing;
    storing = append(target, some);
    storing.catch(() => undefined); // told where it is awaited
  }
  await storing;
  report('filled', { conversations, seconds: seconds(begin) });
}

async function append(target: EventStore, some: readonly ConversationAppend[]): Promise<void> {
  await target.inTransaction(async (tx) => {
    const claims = some.map(({ conversationKey, tenantId }) => ({
      ...{ eventId: `claim-${conversationKey}`, consumer: 'bench', conversationKey, tenantId, bodyDigest: '' },
      receivedAt: tx.now,
    }));
    await tx.claim(claims);
    await tx.load(some.map(({ conversationKey }) => conversationKey));
    await tx.append(some);
  });
}

async function measureRebuild(workers: number): Promise<void> {
  const meter = startMeter();
  const { summary } = await replayed(rebuildJob, { workers, onProgress: meter.look });
  const { equal, differ, events } = summary;
  const isGood = equal === summary.conversations;
  meter.told('rebuild', { isGood, count: events, aim: aims.events_rebuilt, of: { workers, events, equal, differ } });
}

type How = { readonly workers: number; readonly onProgress: (progress: ReplayProgress) => void };

/** The whole store, on this thread or with several workers. */
async function replayed<V>(job: ReplayJob<V>, { workers, onProgress }: How): Promise<Replayed<V>> {
  const here = job.prepare(auditor);
  if (workers === 1) return here(auditor.streams.read(), onProgress);
  const options = { job, access: { databaseUrl, personalData }, workers, onProgress };
  const shown = await replayInWorkers(auditor.streams.cut({}, 200), options);
  if (shown === undefined) throw new Error('there is nothing to replay');
  return shown;
}

async function measureVerify(): Promise<void> {
  const meter = startMeter();
  const { events, isGood } = await auditor.verifyStore({
    publicKeys: [],
    onProgress: ({ streams, events: done }) => meter.look({ conversations: streams, events: done }),
  });
  meter.told('verify', { isGood, count: events, aim: aims.events_verified, of: { events, is_good: isGood } });
}

async function measureRedecide(workers: number): Promise<void> {
  const meter = startMeter();
  const { summary } = await replayed(redecideJob, { workers, onProgress: meter.look });
  const { equal, differ } = summary;
  const turns = summary.conversations * 5;
  const isGood = equal === summary.conversations;
  meter.told('redecide', { isGood, count: turns, aim: aims.turns_redecided, of: { workers, turns, equal, differ } });
}

type Measured = {
  readonly isGood: boolean;
  /** How many events or turns. */
  readonly count: number;
  /** How many a second. */
  readonly aim: number;
  readonly of: Readonly<Record<string, unknown>>;
};

/** The time of the clock and of this process's CPU, all threads together, and its resident memory when a tenth and a half of the conversations is done, and at the end. */
function startMeter(): {
  look(progress: { readonly conversations: number; readonly events: number }): void;
  told(what: string, measured: Measured): void;
} {
  const rss = new Map<string, number>();
  const cpu = process.cpuUsage();
  const begin = performance.now();
  const look = (percent: number): void => {
    const part = parts.findLast((one) => one <= percent);
    const name = `rss_mb_at_${part}_percent`;
    if (part !== undefined && !rss.has(name)) rss.set(name, megabytes());
  };
  return {
    look: ({ conversations: done }) => look((100 * done) / conversations),
    told: (what, { isGood, count, aim, of }) => {
      const elapsed = seconds(begin);
      const { user, system } = process.cpuUsage(cpu);
      const cpuSeconds = (user + system) / 1_000_000;
      const [rate, ofCpu] = [Math.round(count / elapsed), Math.round(count / cpuSeconds)];
      const isReached = isGood && rate >= aim;
      if (!isReached) process.exitCode = 1;
      const times = { seconds: elapsed.toFixed(1), cpu_seconds: cpuSeconds.toFixed(1) };
      report(what, {
        ...{ conversations, ...of, ...times, per_second: rate, aim_per_second: aim, is_reached: isReached },
        ...{ per_cpu_second: ofCpu, ...Object.fromEntries(rss) },
      });
    },
  };
}

function megabytes(): number {
  return Math.round(process.memoryUsage().rss / 1_048_576);
}

function seconds(begin: number): number {
  return (performance.now() - begin) / 1000;
}

function report(what: string, figures: Readonly<Record<string, unknown>>): void {
  logger.info(`bench.${what}`, figures);
}
