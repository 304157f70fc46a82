import net from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { platformVersion } from '@latch/contracts';
import { checkHistories } from './check-histories.ts';
import { readHistoryFolder, recordedReleases } from './history-folders.ts';
import { historyScripts } from './history-scripts.ts';

/** Nothing in this file may reach for the network (invariant I21). */
let connect: ReturnType<typeof jest.spyOn>;
beforeAll(() => {
  connect = jest.spyOn(net.Socket.prototype, 'connect').mockImplementation(() => {
    throw new Error('a replay opened a socket');
  });
});
afterAll(() => connect.mockRestore());

describe.each(recordedReleases())('the histories that %s recorded', (release) => {
  const folder = readHistoryFolder(release);

  it('verify, fold to the recorded state, and are decided again byte for byte, with the network off', () => {
    expect(checkHistories(folder)).toEqual([]);
    expect(folder.histories.length).toBeGreaterThan(25);
  });

  it('are found out when a byte of an event, or of the state, is another one', () => {
    for (const history of folder.histories) {
      const [first, ...rest] = history.stream.events;
      if (!first) throw new Error(`${history.name} is empty`);
      const altered = { ...first, payload: { ...Object(first.payload), status: 'COMPLETED' }, payloadText: '{}' };
      const stream = { ...history.stream, events: [altered, ...rest] };
      expect(checkHistories({ ...folder, histories: [{ ...history, stream }] })).not.toEqual([]);
    }
  });

  it('name a known difference, or one that is not there, as the rule wants it', () => {
    const [history] = folder.histories;
    const difference = {
      history: history?.name ?? '',
      version: 1,
      since: '9.9.9',
      why: 'a difference that is not there',
    };
    expect(checkHistories({ ...folder, differences: [difference] })).toEqual([
      `${release}/${history?.name}: differences.json names a difference at event 1 that is not there`,
    ]);
  });
});

describe('the histories of this release', () => {
  const covered = new Set(historyScripts.flatMap(({ covers }) => covers));

  it.each([
    ...[
      'COMPLETED',
      'CANCELLED',
      'OUT_OF_SCOPE',
      'FAILED',
      'EXPIRED',
      'OUTCOME_UNKNOWN',
      'multi-item',
      'partial',
      'heal',
    ],
    ...['amend', 'park', 'resume', 'hand-off', 'stale yes', 'conflict', 'reconcile', 'late answer', 'set aside'],
    ...['schema changed', 'input required', 'workflow', 'secondary error', 'reconcile by item'],
    ...['several configurations', 'inconsistency', 'other user', 'validation error', 'pt-BR', 'en', 'es'],
  ])('show %p', (what) => {
    expect(covered).toContain(what);
  });

  it('are what their scripts give, byte for byte: `npm run latch histories record` would change nothing', () => {
    const { agentOf, histories } = readHistoryFolder(platformVersion);
    expect(histories.map(({ name }) => name).sort()).toEqual(historyScripts.map(({ name }) => name).sort());
    for (const { name, configs, stream } of histories) {
      const script = historyScripts.find((one) => one.name === name);
      const played = script?.play(() => agentOf(configs[0] ?? '') ?? missing()).stream();
      expect([name, played?.conversation.headHash]).toEqual([name, stream.conversation.headHash]);
    }
  });

  it.each(['COMPLETED', 'CANCELLED', 'OUT_OF_SCOPE', 'FAILED', 'EXPIRED'])(
    'hold a transaction that ended %s',
    (status) => {
      const ended = readHistoryFolder(platformVersion).histories.filter(({ stream }) =>
        stream.events.some(({ payloadText }) => payloadText.includes(`"status":"${status}"`)),
      );
      expect(ended.length).toBeGreaterThan(0);
    },
  );
});

function missing(): never {
  throw new Error('the configuration of a history is not there');
}
