import { ToolExecution, type ToolInvocation } from '@latch/contracts';
import { type EventStore, migrate, openEventStore, type StoreRole } from '@latch/event-store';
import { createLogger } from '@latch/observability';
import { readToolResult } from '@latch/outcome';
import { pinnedConfigs } from '@latch/replay';
import { historyAgents } from '../histories/history-agents.ts';
import { PlayedConversation } from '../histories/played-conversation.ts';
import { projectStream } from './project-stream.ts';

/**
 * How fast the projections of a store are compared with the events and made again, and whether memory stays flat: `npm run bench -- projections -- DATABASE_URL
 * [conversations] [key]`. The conversations of five turns and two calls are led by the real engine, in the given database (an empty one, or one that this has
 * filled), personal data in the clear unless a key is given (32 bytes in base64). It ends with 1 when a row differs. Rates are of this process's own CPU time.
 */
const [databaseUrl = '', count = '3000', key] = process.argv.slice(2);
const conversations = Number(count);
const logger = createLogger({ service: 'bench', level: 'info' });
const personalData =
  key === undefined ? ('clear' as const) : { current: 'b', keys: new Map([['b', Buffer.from(key, 'base64')]]) };

await migrate(databaseUrl);
const roles = ['latch_orchestrator', 'latch_tool_executor', 'latch_auditor', 'latch_maintenance'] as const;
const [engine, executor, auditor, maintenance] = await Promise.all(roles.map(open));
if (engine && executor && auditor && maintenance) {
  await fill({ target: engine, ledger: executor, from: await auditor.streams.count() });
  await measureVerify(auditor);
  await measureRebuild(maintenance);
  await Promise.all([engine, executor, auditor, maintenance].map((store) => store.close()));
}

function open(role: StoreRole): Promise<EventStore> {
  const quiet = createLogger({ service: 'bench', level: 'silent' });
  return openEventStore({ databaseUrl, producer: 'bench', logger: quiet, role, personalData });
}

type Filling = { readonly target: EventStore; readonly ledger: EventStore; readonly from: number };

/** Goes on where an earlier run has ended. */
async function fill({ target, ledger, from: begin }: Filling): Promise<void> {
  const agent = (await historyAgents())('retail_orders');
  await target.saveConfigVersions([agent]);
  const domain = (call: ToolInvocation): ReturnType<typeof readToolResult> => readToolResult(executionOf(call));
  for (let from = begin; from < conversations; from += 64) {
    const some = Array.from({ length: Math.min(64, conversations - from) }, (_, index) => {
      const order = `PED-${1000 + ((from + index) % 9000)}`;
      const talk = new PlayedConversation({ agent, sessionId: `bench-${from + index}`, domain });
      return talk
        .says('quero cancelar pedido')
        .says('não sei')
        .says(`o pedido é o ${order}`)
        .says('sim')
        .says('obrigado');
    });
    await append(target, some);
    await Promise.all(some.flatMap(({ calls }) => calls).map((call) => record(ledger, executionOf(call))));
  }
}

function executionOf(invocation: ToolInvocation): ToolExecution {
  const isAsked = invocation.purpose === 'pre_validation';
  const structuredContent = isAsked ? { eligible: true } : { status: 'CANCELADO', protocol: 'P-1' };
  const outcome = { kind: 'result', result: { content: [], structuredContent, isError: false } };
  const at = { started_at: '2026-11-30T12:00:02.000Z', ended_at: '2026-11-30T12:00:02.120Z' };
  const attempts = [{ number: 1, ...at }];
  return ToolExecution.parse({
    ...{ invocation_id: invocation.invocation_id, invocation, outcome, attempts, latency_ms: 120 },
  });
}

async function append(target: EventStore, some: readonly PlayedConversation[]): Promise<void> {
  const appends = some.map((talk) => talk.append());
  await target.inTransaction(async (tx) => {
    const claims = appends.map(({ conversationKey, tenantId }) => ({
      ...{ eventId: `claim-${conversationKey}`, consumer: 'bench', conversationKey, tenantId, bodyDigest: '' },
      receivedAt: tx.now,
    }));
    await tx.claim(claims);
    await tx.load(appends.map(({ conversationKey }) => conversationKey));
    await tx.append(appends);
  });
}

async function record({ ledger }: EventStore, execution: ToolExecution): Promise<void> {
  const lease = { owner: 'bench', leaseMs: 60_000 };
  const { invocation_id: invocationId } = execution;
  await ledger.claim([{ invocationId }], lease);
  await ledger.startAttempt({ ...lease, invocationId, number: 1 });
  await ledger.recordOutcome({ invocationId, owner: lease.owner, execution, outgoing: [] });
}

async function measureVerify(store: EventStore): Promise<void> {
  const configs = pinnedConfigs(store);
  const meter = startMeter();
  const {
    places: _,
    first: _first,
    ...report
  } = await store.verifyProjections({
    read: readToolResult,
    project: (stream) => projectStream(stream, configs),
    onProgress: ({ streams }) => meter.look(streams),
  });
  if (report.differences > 0) process.exitCode = 1;
  meter.told('verify', report);
}

async function measureRebuild(store: EventStore): Promise<void> {
  const configs = pinnedConfigs(store);
  const meter = startMeter();
  const done = await store.rebuildProjections({
    read: readToolResult,
    project: (stream) => projectStream(stream, configs),
    onProgress: ({ streams }) => meter.look(streams),
  });
  if (done.changed + done.left > 0) process.exitCode = 1;
  meter.told('rebuild', done);
}

/** The time of this process's CPU, and its resident memory when a tenth and a half of the conversations is done, and at the end. */
function startMeter(): {
  look(done: number): void;
  told(what: string, of: Readonly<Record<string, number | boolean>> & { readonly streams: number }): void;
} {
  const rss = new Map<string, number>();
  const cpu = process.cpuUsage();
  const begin = performance.now();
  return {
    look: (done) => {
      const part = [10, 50, 100].findLast((one) => one <= (100 * done) / conversations);
      const name = `rss_mb_at_${part}_percent`;
      if (part !== undefined && !rss.has(name)) rss.set(name, Math.round(process.memoryUsage().rss / 1_048_576));
    },
    told: (what, of) => {
      const { user, system } = process.cpuUsage(cpu);
      const cpuSeconds = (user + system) / 1_000_000;
      const seconds = ((performance.now() - begin) / 1000).toFixed(1);
      const rate = Math.round(of.streams / cpuSeconds);
      const times = { seconds, cpu_seconds: cpuSeconds.toFixed(1), conversations_per_cpu_second: rate };
      logger.info(`bench.${what}`, { ...of, ...times, ...Object.fromEntries(rss) });
    },
  };
}
