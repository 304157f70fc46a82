import { createLogger } from '@latch/observability';
import { type ConversationAppend, type EventStore, migrate, openEventStore } from '@latch/event-store';
import { pinnedConfigs, rebuildStream, redecideStream, replayStreams } from '@latch/replay';
import { historyAgents } from '../histories/history-agents.ts';
import { PlayedConversation } from '../histories/played-conversation.ts';
import { agreeing } from '../histories/history-script.ts';

/**
 * How fast a store is folded, verified and decided again, and whether its memory stays flat: `npm run bench -- replay -- DATABASE_URL [conversations]`. The
 * conversations of five turns are led by the real engine, in the given database (an empty one), personal data in the clear unless a key is given.
 */
const [databaseUrl = '', count = '5000', key] = process.argv.slice(2);
const conversations = Number(count);
const logger = createLogger({ service: 'bench', level: 'info' });
const personalData =
  key === undefined ? ('clear' as const) : { current: 'b', keys: new Map([['b', Buffer.from(key, 'base64')]]) };

await migrate(databaseUrl);
const store = await open('latch_orchestrator');
const auditor = await open('latch_auditor');
if ((await auditor.streams.count()) < conversations) await fill(store);
await measureRebuild();
await measureVerify();
await measureRedecide();
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
    await append(target, some);
  }
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

async function measureRebuild(): Promise<void> {
  const memory = memoryWatch();
  const summary = await replayStreams(auditor.streams.read(), { check: rebuildStream, onProgress: memory.look });
  const { equal, differ, events } = summary;
  report('rebuild', {
    ...{ conversations: summary.conversations, equal, differ, events, seconds: summary.seconds.toFixed(1) },
    ...{ events_per_second: Math.round(events / summary.seconds), ...memory.told() },
  });
}

async function measureVerify(): Promise<void> {
  const begin = performance.now();
  const memory = memoryWatch();
  const found = await auditor.verifyStore({
    publicKeys: [],
    onProgress: ({ streams, events }) => memory.look({ conversations: streams, events }),
  });
  const rate = Math.round(found.events / seconds(begin));
  report('verify', { events: found.events, is_good: found.isGood, events_per_second: rate, ...memory.told() });
}

async function measureRedecide(): Promise<void> {
  const configs = pinnedConfigs(auditor);
  const memory = memoryWatch();
  const summary = await replayStreams(auditor.streams.read(), {
    check: async (stream) => {
      await configs.load(stream);
      return redecideStream(stream, configs.agentOf);
    },
    onProgress: memory.look,
  });
  const turns = summary.conversations * 5;
  const rate = Math.round(turns / summary.seconds);
  report('redecide', { turns, equal: summary.equal, differ: summary.differ, turns_per_second: rate, ...memory.told() });
}

/** Resident memory when a tenth of the conversations is done, and at the end; and the CPU time of this process, for a machine that is shared. */
function memoryWatch(): {
  look(progress: { readonly conversations: number; readonly events: number }): void;
  told(): {
    readonly rss_mb_at_10_percent: number;
    readonly rss_mb_at_100_percent: number;
    readonly cpu_seconds: string;
  };
} {
  let early = 0;
  const cpu = process.cpuUsage();
  return {
    look: ({ conversations: done }) => {
      if (early === 0 && done >= conversations / 10) early = megabytes();
    },
    told: () => {
      const { user, system } = process.cpuUsage(cpu);
      const cpu_seconds = ((user + system) / 1_000_000).toFixed(2);
      return { rss_mb_at_10_percent: early, rss_mb_at_100_percent: megabytes(), cpu_seconds };
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
