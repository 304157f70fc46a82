import net from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type AgentConfig, agentDigest } from '@latch/contracts';
import { type StoredStream, type StreamProjection } from '@latch/event-store';
import {
  pinnedConfigs,
  rebuildStream,
  redecideAgainst,
  redecideStream,
  replayStreams,
  stateAt,
  identityOf,
} from '@latch/replay';
import pg from 'pg';
import { historyAgents } from '../histories/history-agents.ts';
import { historyScripts } from '../histories/history-scripts.ts';
import { projectStream } from './project-stream.ts';
import { startReplay, watchedReplay } from './replay-command.features.ts';
import { openPlayedStore, playedConversation, type PlayedStore } from './played-store.features.ts';

let played: PlayedStore;
let agentOf: (agentId: string) => AgentConfig;

beforeAll(async () => {
  played = await openPlayedStore();
  agentOf = await historyAgents();
  for (const script of historyScripts) await played.keep(script.play(agentOf));
  await played.keep(await playedConversation('other-tenant', 'acme'));
  await played.seal();
}, 120_000);
afterAll(() => played.end());

/** What only the owner of the database can do. */
async function asOwner(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: played.url });
  await client.connect();
  await client.query(`SET app.tenants = '{*}'`);
  await client.query(statement);
  await client.end();
}

async function allStreams(tenantId?: string): Promise<readonly StoredStream[]> {
  const streams: StoredStream[] = [];
  for await (const stream of played.auditor.streams.read(tenantId === undefined ? {} : { tenantId }))
    streams.push(stream);
  return streams;
}

const damaged = 'history-damaged-snapshot';

describe('a store of every kind of conversation, sealed', () => {
  it('folds to the stored state, byte for byte, for all of them (I6)', async () => {
    const summary = await replayStreams(played.auditor.streams.read(), { check: rebuildStream });
    expect(summary).toMatchObject({ conversations: historyScripts.length + 1, differ: 0, erased: 0, findings: [] });
    expect(summary.equal).toBe(summary.conversations);
  });

  it('is decided again byte for byte, with the configurations of the store, and no socket is opened meanwhile (I21)', async () => {
    const configs = pinnedConfigs(played.auditor);
    const streams = await allStreams();
    for (const stream of streams) await configs.load(stream);
    const connect = jest.spyOn(net.Socket.prototype, 'connect').mockImplementation(() => {
      throw new Error('a decision opened a socket');
    });
    const verdicts = streams.map((stream) => redecideStream(stream, configs.agentOf));
    connect.mockRestore();
    expect(verdicts.filter(({ kind }) => kind !== 'equal')).toEqual([]);
  });

  it.each([
    ['redecide', '--workers', '2'],
    ['redecide', '--workers', '1'],
    ['rebuild', '--workers', '2'],
  ])(
    'is replayed by `latch replay %s %s %s`, and no thread of it opens a socket but to Postgres (I21)',
    async (...args) => {
      const { code, output, sockets } = await watchedReplay(played.url, args);
      const conversations = historyScripts.length + 1;
      expect(JSON.parse(output)).toMatchObject({
        word: args[0],
        outcome: 'equal',
        conversations,
        equal: conversations,
      });
      expect(code).toBe(0);
      const threads = [...new Set(sockets.map(([thread]) => thread))].sort();
      expect(threads).toEqual(args[2] === '2' ? ['0', '1', '2'] : ['0']);
      const opened = sockets.filter(([, what]) => what !== 'began');
      expect(opened.length).toBeGreaterThanOrEqual(threads.length);
      const { hostname, port } = new URL(played.url);
      expect(new Set(opened.map(([, what]) => what))).toEqual(new Set([`${hostname}:${port}`]));
    },
  );

  it('is read stream by stream in one order, from any of them on, and of one tenant alone', async () => {
    const all = await allStreams();
    const ids = all.map(({ conversation }) => conversation.streamId);
    expect(ids).toEqual([...ids].sort());
    const rest: string[] = [];
    const filter = { after: ids[10] ?? '', limit: 5 };
    for await (const { conversation } of played.auditor.streams.read(filter)) rest.push(conversation.streamId);
    expect(rest).toEqual(ids.slice(11, 16));
    expect(await played.auditor.streams.count(filter)).toBe(5);
    expect((await allStreams('acme')).map(({ conversation }) => conversation.tenantId)).toEqual(['acme']);
  });

  it('is read to the last stream that there was at the begin, though others are begun all the time', async () => {
    const before = await played.auditor.streams.count();
    let read = 0;
    for await (const { conversation } of played.auditor.streams.read()) {
      expect(conversation.sessionId).not.toMatch(/^meanwhile/);
      read += 1;
      if (read % 10 === 0) await played.keep(await playedConversation(`meanwhile-${read}`, 'meanwhile'));
    }
    expect(read).toBe(before);
    await asOwner(`DELETE FROM conversations WHERE tenant_id = 'meanwhile'`);
  });

  it('can be seen as it was at any version: each is the fold of the events until then', async () => {
    const [stream] = await allStreams('acme');
    if (!stream) throw new Error('there is no such stream');
    const states = stream.events.map((_, index) => stateAt(identityOf(stream), stream.events, index + 1));
    expect(states.every(({ ok }) => ok)).toBe(true);
    const last = states.at(-1);
    expect(last?.ok && last.value.state).toEqual(stream.conversation.state);
  });

  it('gives the rows of its projections again from its events alone', async () => {
    const configs = pinnedConfigs(played.auditor);
    for (const stream of await allStreams()) {
      const { tenantId, conversationKey } = stream.conversation;
      const projection = conversationKey.endsWith(damaged) ? null : await projectStream(stream, configs);
      if (projection !== null) await expectAsStored(tenantId, projection);
    }
  });

  it('is not written to: the role of a replay may not', async () => {
    await expect(played.auditor.saveConfigVersions([agentOf('shop')])).rejects.toThrow();
  });
});

describe('another configuration', () => {
  function withConfirmationOf(agent: AgentConfig, tool: string): AgentConfig {
    const config = agent.tools[tool];
    if (!config) throw new Error(`no tool ${tool}`);
    const { digest: _old, ...changed } = {
      ...agent,
      tools: { ...agent.tools, [tool]: { ...config, requiresConfirmation: true } },
    };
    return { ...changed, digest: agentDigest(changed) };
  }

  it('that is the same but for its digest changes nothing', async () => {
    for (const stream of await allStreams()) {
      if (stream.conversation.conversationKey.endsWith(damaged)) continue;
      const { digest: _old, ...agent } = agentOf(stream.conversation.agentId);
      expect(redecideAgainst(stream, { ...agent, digest: 'f'.repeat(64) })).toMatchObject({ kind: 'equal' });
    }
  });

  it('that asks before a tracking differs exactly where something was tracked, as another confirmation', async () => {
    const changed = withConfirmationOf(agentOf('retail_orders'), 'rastrear_pedido');
    const differing = (await allStreams())
      .filter(({ conversation }) => conversation.agentId === 'retail_orders')
      .map((stream) => ({ stream, verdict: redecideAgainst(stream, changed) }))
      .filter(({ verdict }) => verdict.kind === 'differs');
    expect(differing.map(({ stream }) => stream.conversation.sessionId).sort()).toEqual([
      'history-parked-and-resumed',
      'history-read-only',
      'history-rollout',
      'history-unknown-set-aside',
    ]);
    for (const { verdict } of differing) {
      const kinds = verdict.kind === 'differs' ? verdict.differences.map(({ kind }) => kind) : [];
      expect(kinds[0]).toMatch(/other_(tool|confirmation)/);
    }
  });

  it('that lacks the agent says so', async () => {
    const [stream] = await allStreams();
    if (!stream) throw new Error('there is no stream');
    expect(redecideAgainst(stream, undefined)).toMatchObject({
      kind: 'differs',
      differences: [{ kind: 'agent_gone' }],
    });
  });
});

describe('a stored state that somebody changed', () => {
  it('is found out, with the place', async () => {
    await asOwner(
      `UPDATE conversations SET sealed_state = NULL, state = '{"stateVersion":1,"clarifications":7}'
       WHERE session_id = 'history-completed'`,
    );
    const summary = await replayStreams(played.auditor.streams.read(), { check: rebuildStream });
    expect(summary.findings).toMatchObject([
      {
        conversationKey: 'default:retail_orders:history-completed',
        verdict: { kind: 'differs', difference: { path: '$.agentId' } },
      },
    ]);
  });
});

async function expectAsStored(tenantId: string, { transactions, turns = [] }: StreamProjection): Promise<void> {
  for (const { id, status, outcome, rev, items } of transactions) {
    const stored = await played.auditor.readTransaction(tenantId, id);
    expect(stored).toMatchObject({ status, outcome, rev });
    expect(stored?.items.map((item) => [item.id, item.outcome])).toEqual(items.map((item) => [item.id, item.outcome]));
  }
  const ids = turns.map(({ turnId }) => turnId);
  const stored = [...(await played.auditor.readTurns(tenantId, ids)).values()];
  const told = turns.map(({ turnId, status, response }) => ({ turnId, status, text: textIn(response) }));
  expect(
    stored.map(({ turnId, status, response }) => ({ turnId, status, text: textIn(response) })).sort(byTurn),
  ).toEqual(told.sort(byTurn));
}

function byTurn(one: { readonly turnId: string }, other: { readonly turnId: string }): number {
  return one.turnId < other.turnId ? -1 : 1;
}

function textIn(response: string | null): unknown {
  return response === null ? null : JSON.parse(response).payload.text;
}

describe('an event that somebody altered into none that Latch writes', () => {
  it('keeps no other conversation from being looked at: the one that cannot be read is named, and the replay ends with 1', async () => {
    await asOwner(`ALTER TABLE events DROP CONSTRAINT events_have_one_record, DISABLE TRIGGER USER`);
    await asOwner(
      `UPDATE events SET record = NULL, event_id = 'e', trace_id = 't', payload = '{"type":"ToolResultReceived"}'
       WHERE type = 'ToolResultReceived' AND stream_id = (SELECT stream_id FROM conversations WHERE session_id = 'history-several-items')`,
    );
    for (const word of ['rebuild', 'redecide']) {
      const { code, output } = await startReplay(played.url, [word, '--workers', '2']).ended;
      expect([code, JSON.parse(output)]).toMatchObject([
        1,
        {
          ...{ word, outcome: 'differs', conversations: historyScripts.length + 1 },
          unreadable: {
            count: 1,
            first: [
              {
                conversationKey: 'default:telecom_contas:history-several-items',
                tenantId: 'default',
                error: 'TypeError',
              },
            ],
          },
        },
      ]);
    }
  });
});
