import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type AgentConfig, agentDigest } from '@latch/contracts';
import { type StreamFilter } from '@latch/event-store';
import { eventually, testKeyRing } from '@latch/testing';
import pg from 'pg';
import { historyAgents } from '../histories/history-agents.ts';
import { agreeing } from '../histories/history-script.ts';
import { historyScripts } from '../histories/history-scripts.ts';
import { PlayedConversation } from '../histories/played-conversation.ts';
import { openPlayedStore, playedConversation, type PlayedStore } from './played-store.features.ts';
import { startReplay } from './replay-command.features.ts';
import { againstJob, rebuildJob, redecideJob, type Replayed, type ReplayJob } from './replay-job.ts';
import { replayInWorkers, type WorkersOptions } from './replay-in-workers.ts';
import { replayScope } from './replay-scope.ts';
import { type StoreAccess } from './open-audited-store.ts';

jest.setTimeout(120_000);

let played: PlayedStore;
let access: StoreAccess;
let agents: Readonly<Record<string, AgentConfig>>;
/** The owner's. */
let client: pg.Client;
/** The owner's too: while it has something locked, the other looks on from outside. */
let locker: pg.Client;

beforeAll(async () => {
  played = await openPlayedStore();
  access = { databaseUrl: played.url, personalData: testKeyRing };
  const agentOf = await historyAgents();
  for (const script of historyScripts) await played.keep(script.play(agentOf));
  for (let number = 0; number < 40; number += 1) await played.keep(anOrder(agentOf('retail_orders'), number));
  await played.keep(await playedConversation('other-tenant', 'acme'));
  agents = { telecom_contas: agentOf('telecom_contas'), retail_orders: withoutConfirmation(agentOf('retail_orders')) };
  client = new pg.Client({ connectionString: played.url });
  locker = new pg.Client({ connectionString: played.url });
  await Promise.all([client.connect(), locker.connect()]);
  await client.query(`SET app.tenants = '{*}'`);
  await plantDifferences();
}, 180_000);

afterAll(async () => {
  await Promise.all([client.end(), locker.end()]);
  await played.end();
});

function anOrder(agent: AgentConfig, number: number): PlayedConversation {
  const talk = new PlayedConversation({ agent, sessionId: `order-${number}`, domain: agreeing });
  return talk
    .says('quero cancelar pedido')
    .says(`o pedido é o PED-${1000 + number}`)
    .says('sim');
}

function withoutConfirmation(agent: AgentConfig): AgentConfig {
  const tools = Object.entries(agent.tools).map(([name, tool]) => [name, { ...tool, requiresConfirmation: false }]);
  const { digest: _old, ...changed } = { ...agent, tools: Object.fromEntries(tools) };
  return { ...changed, digest: agentDigest(changed) };
}

/** In a few conversations the stored state is not what the events say; the configuration of the others' tenant is gone. */
async function plantDifferences(): Promise<void> {
  await client.query(
    `UPDATE conversations SET sealed_state = NULL, state = jsonb_build_object('clarifications', length(session_id))
     WHERE session_id IN ('order-3', 'order-17', 'order-18', 'order-39', 'history-completed')`,
  );
  const { rowCount } = await client.query(
    `DELETE FROM config_versions WHERE digest = (SELECT config_digest FROM conversations WHERE tenant_id = 'acme')`,
  );
  expect(rowCount).toBe(1);
}

/** What a replay has shown, without its time. */
function shownBy<V>({ summary, report }: Replayed<V>): object {
  const { seconds: _clock, ...counts } = summary;
  return JSON.parse(JSON.stringify({ counts, report }));
}

async function inOnePiece<V>(job: ReplayJob<V>, filter: StreamFilter = {}): Promise<object> {
  return shownBy(await job.prepare(played.auditor)(played.auditor.streams.read(filter)));
}

async function withWorkers<V>(job: ReplayJob<V>, workers: number, inStretch: number): Promise<object> {
  const shown = await replayInWorkers(played.auditor.streams.cut({}, inStretch), { job, access, workers });
  if (shown === undefined) throw new Error('there was nothing');
  return shownBy(shown);
}

/** Connections of workers, of which none may be left when a replay ends. */
async function connections(): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'latch-latch-replay'`,
  );
  return rows[0]?.n ?? 0;
}

const nobodyLeft = (): Promise<void> => eventually(async () => expect(await connections()).toBe(0));

describe('a sealed store with conversations that differ', () => {
  let whole: { readonly rebuilt: object; readonly redecided: object; readonly tried: object };

  beforeAll(async () => {
    const [rebuilt, redecided] = [await inOnePiece(rebuildJob), await inOnePiece(redecideJob)];
    whole = { rebuilt, redecided, tried: await inOnePiece(againstJob({ agents, show: 3 })) };
  });

  it('shows them in one piece', () => {
    expect(whole.rebuilt).toMatchObject({ counts: { differ: 5 } });
    expect(whole.redecided).not.toMatchObject({ counts: { differ: 0 } });
    expect(whole.tried).toMatchObject({ report: { conversations: { length: 3 } } });
  });

  it.each([
    { workers: 1, inStretch: 7 },
    { workers: 2, inStretch: 1 },
    { workers: 3, inStretch: 10 },
  ])('shows $workers workers with $inStretch at a time what it shows in one piece', async ({ workers, inStretch }) => {
    expect(await withWorkers(rebuildJob, workers, inStretch)).toEqual(whole.rebuilt);
    expect(await withWorkers(redecideJob, workers, inStretch)).toEqual(whole.redecided);
    expect(await withWorkers(againstJob({ agents, show: 3 }), workers, inStretch)).toEqual(whole.tried);
    await nobodyLeft();
  });

  it('is counted by a command as it is replayed, some of it, of one tenant, or one conversation', async () => {
    const audited = { store: played.auditor, access };
    const scopes = [{ limit: 30 }, { tenant: 'default' }, { tenant: 'default', since: '2999-01-01T00:00:00Z' }, {}];
    const keyed = { conversation: 'default:retail_orders:order-17' };
    for (const scope of [...scopes, keyed]) {
      const how = { job: rebuildJob, workers: 2 };
      const one = await replayScope(audited, scope, { ...how, workers: 1 });
      expect(shownBy(await replayScope(audited, scope, how))).toEqual(shownBy(one));
    }
    expect(shownBy(await replayScope(audited, keyed, { job: rebuildJob, workers: 2 }))).toMatchObject({
      counts: { conversations: 1, differ: 1 },
    });
  });

  it('tells how far it is, stretch by stretch, up to all of it', async () => {
    const told: number[] = [];
    const onProgress: WorkersOptions<unknown>['onProgress'] = ({ conversations }) => told.push(conversations);
    await replayInWorkers(played.auditor.streams.cut({}, 10), { job: rebuildJob, access, workers: 2, onProgress });
    expect(told).toEqual([...told].sort((a, b) => a - b));
    expect([told.length, told.at(-1)]).toEqual([Math.ceil((await count()) / 10), await count()]);
  });
});

async function count(): Promise<number> {
  return played.auditor.streams.count();
}

describe('the streams of a filter, cut into stretches', () => {
  it('are each in one of them, in order, as many as were asked for', async () => {
    const { tenantId, limit } = { tenantId: 'default', limit: 33 };
    const whole = await idsOf([{ tenantId, limit }]);
    for (const most of [1, 5, 33, 200]) {
      const stretches: StreamFilter[] = [];
      for await (const stretch of played.auditor.streams.cut({ tenantId, limit }, most)) stretches.push(stretch);
      expect(stretches).toHaveLength(Math.ceil(limit / most));
      expect(await idsOf(stretches)).toEqual(whole);
    }
  });
});

describe('the streams of a filter that is cut while others speak', () => {
  it('end at the last stream that there was when the first stretch was cut', async () => {
    const [before, whole] = [await count(), await idsOf([{}])];
    const stretches: StreamFilter[] = [];
    for await (const stretch of played.auditor.streams.cut({}, 20)) {
      stretches.push(stretch);
      if (stretches.length < 5)
        await played.keep(await playedConversation(`meanwhile-${stretches.length}`, 'meanwhile'));
    }
    expect(stretches).toHaveLength(Math.ceil(before / 20));
    expect(await idsOf(stretches)).toEqual(whole);
    await client.query(`DELETE FROM conversations WHERE tenant_id = 'meanwhile'`);
  });

  it('are those that were cut, though something happens meanwhile in one between them', async () => {
    const since = '2100-01-01T00:00:00.000Z';
    const change = `UPDATE conversations SET updated_at = $1 WHERE session_id = ANY($2)`;
    await client.query(change, [since, ['order-1', 'order-3', 'order-5', 'order-7']]);
    const filter = { changedSince: since, limit: 4 };
    const whole = await idsOf([filter]);
    const stretches: StreamFilter[] = [];
    for await (const stretch of played.auditor.streams.cut(filter, 2)) stretches.push(stretch);
    await client.query(change, [since, ['order-2', 'order-6']]);
    expect(await idsOf(stretches)).toEqual(whole);
  });
});

async function idsOf(filters: readonly StreamFilter[]): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const filter of filters) {
    for await (const { conversation } of played.auditor.streams.read(filter)) ids.push(conversation.streamId);
  }
  return ids;
}

describe('a replay whose workers have the wrong key', () => {
  it('ends with what the worker says, and no connection is left', async () => {
    const keys = new Map([['test', Buffer.alloc(32, 9)]]);
    const wrong = { ...access, personalData: { current: 'test', keys } };
    const options = { job: rebuildJob, access: wrong, workers: 2 };
    const replay = replayInWorkers(played.auditor.streams.cut({}, 5), options);
    await expect(replay).rejects.toThrow('A data key cannot be unwrapped');
    await nobodyLeft();
  });
});

describe('latch replay with workers', () => {
  /** Runs the command while nobody may read events, and does something once its workers wait for them. */
  async function whileTheyWait(meanwhile: (command: ReturnType<typeof startReplay>) => unknown): Promise<unknown> {
    await locker.query('BEGIN');
    try {
      await locker.query('LOCK TABLE events IN ACCESS EXCLUSIVE MODE');
      const command = startReplay(played.url, ['redecide', '--workers', '2']);
      await eventually(async () => expect(await waiting()).toHaveLength(4), { timeoutMs: 20_000 });
      await meanwhile(command);
      const { code, output } = await command.ended;
      return { code, ...JSON.parse(output) };
    } finally {
      await locker.query('ROLLBACK');
    }
  }

  async function waiting(): Promise<readonly number[]> {
    const { rows } = await client.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND application_name = 'latch-latch-replay'`,
    );
    return rows.map(({ pid }) => pid);
  }

  it('ends with 2 and a sentence at a Ctrl-C, and leaves nothing behind', async () => {
    const begin = performance.now();
    const ended = await whileTheyWait(({ child }) => child.kill('SIGINT'));
    expect(ended).toEqual({ code: 2, outcome: 'could_not_run', reason: 'Stopped by SIGINT.' });
    expect(performance.now() - begin).toBeLessThan(10_000);
    await nobodyLeft();
  });

  it('ends with 2 and a sentence when a worker loses its database', async () => {
    const ended = await whileTheyWait(async () => {
      const [pid] = await waiting();
      await client.query('SELECT pg_terminate_backend($1)', [pid]);
    });
    expect(ended).toMatchObject({
      code: 2,
      outcome: 'could_not_run',
      reason: expect.stringMatching(/connection|terminat/),
    });
    await nobodyLeft();
  });

  it('ends with 2 when the number of workers is none, before anything is opened', async () => {
    const nowhere = 'postgres://latch@127.0.0.1:1/latch';
    for (const words of [['rebuild'], ['redecide'], ['redecide', '--against', 'deploy/config']]) {
      const { code, output } = await startReplay(nowhere, [...words, '--workers', '0']).ended;
      const reason = '--workers must be a whole number of at least 1, not "0"';
      expect({ code, ...JSON.parse(output) }).toEqual({ code: 2, outcome: 'could_not_run', reason });
    }
  });

  it('says no key, whatever goes wrong', async () => {
    const key = Buffer.alloc(32, 9).toString('base64');
    const environment = { LATCH_DATA_KEY: `test:${key}` };
    const { code, output, errors } = await startReplay(played.url, ['rebuild', '--workers', '2'], { environment })
      .ended;
    expect(code).toBe(2);
    expect(JSON.parse(output).reason).toContain('A data key cannot be unwrapped');
    expect(output + errors).not.toContain(key);
  });
});
