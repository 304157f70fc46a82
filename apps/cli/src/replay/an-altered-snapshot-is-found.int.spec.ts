import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readToolResult } from '@latch/outcome';
import { pinnedConfigs } from '@latch/replay';
import pg from 'pg';
import { openPlayedStore, playedConversation, type PlayedStore } from './played-store.features.ts';
import { projectStream } from './project-stream.ts';
import { rebuildJob, redecideJob } from './replay-job.ts';
import { showDifference } from './show-difference.ts';

let played: PlayedStore;
let streamId: string;
const altered = 'default:telecom_contas:altered';

beforeAll(async () => {
  played = await openPlayedStore();
  const [one, other] = [await playedConversation('altered'), await playedConversation('other')];
  await played.keep(one);
  await played.keep(other);
  const owner = new pg.Client({ connectionString: played.url });
  await owner.connect();
  await owner.query(`SET app.tenants = '{*}'`);
  const { rows, rowCount } = await owner.query<{ stream_id: string }>(
    `UPDATE conversations SET sealed_state = set_byte(sealed_state, 40, get_byte(sealed_state, 40) # 1)
     WHERE stream_id = (SELECT stream_id FROM streams WHERE conversation_key = '${altered}') RETURNING stream_id`,
  );
  await owner.end();
  expect(rowCount).toBe(1);
  streamId = rows[0]?.stream_id ?? '';
}, 120_000);
afterAll(() => played.end());

describe('a sealed snapshot that somebody has altered', () => {
  it('is a difference of its row, and every other row is compared', async () => {
    const configs = pinnedConfigs(played.auditor);
    const report = await played.auditor.verifyProjections({
      read: readToolResult,
      project: (stream) => projectStream(stream, configs),
    });
    expect(report).toMatchObject({ streams: 2, differ: 1, differences: 1 });
    expect(report.places).toMatchObject([
      { place: 'conversations.state', kind: 'changed', first: { table: 'conversations', row: streamId } },
    ]);
    expect(report.first && showDifference(report.first)).toMatchObject({
      ...{ kind: 'changed', table: 'conversations', column: 'state', row: streamId, where: altered },
      ...{ stored: '(not shown: personal)', found: '(not shown: personal)' },
    });
  });

  it('is a difference of the fold, and keeps no other conversation from being folded or decided again', async () => {
    const { summary } = await rebuildJob.prepare(played.auditor)(played.auditor.streams.read());
    expect(summary).toMatchObject({ conversations: 2, equal: 1, differ: 1, findings: [{ conversationKey: altered }] });
    const redecided = await redecideJob.prepare(played.auditor)(played.auditor.streams.read());
    expect(redecided.summary).toMatchObject({ conversations: 2, equal: 2 });
  });

  it('leaves the rows of its conversation as they are when rows are made again, and says so', async () => {
    const configs = pinnedConfigs(played.maintenance);
    const done = await played.maintenance.rebuildProjections({
      read: readToolResult,
      project: (stream) => projectStream(stream, configs),
    });
    expect(done).toMatchObject({ streams: 2, skipped: 1, unprovable: 1, changed: 0 });
  });
});
