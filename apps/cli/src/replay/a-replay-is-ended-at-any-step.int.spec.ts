import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { openPlayedStore, playedConversation, type PlayedStore } from './played-store.features.ts';
import { type Ended, startReplay } from './replay-command.features.ts';

jest.setTimeout(180_000);

const hook = fileURLToPath(new URL('./fixtures/end-at-a-step.mjs', import.meta.url));

let played: PlayedStore;

beforeAll(async () => {
  played = await openPlayedStore();
  for (let number = 0; number < 60; number += 1) await played.keep(await playedConversation(`talk-${number}`));
}, 120_000);

afterAll(() => played.end());

/** Runs a command once for each statement that it makes, each time ended at another one. @returns what all of them said. */
async function endedAtEveryStep(args: readonly string[], by: string): Promise<readonly Ended[]> {
  const all: Ended[] = [];
  for (let at = 1; ; at += 1) {
    const environment = { ENDED_AT: String(at), ENDED_BY: by };
    const ended = await startReplay(played.url, args, { node: ['--import', hook], environment }).ended;
    if (!ended.errors.includes('ended by')) return all;
    all.push(ended);
  }
}

/** The one JSON object of an end, with its exit code. */
function told({ code, output }: Ended): readonly [code: number | null, outcome: unknown] {
  const said: unknown = output === '' ? 'nothing' : JSON.parse(output);
  return [code, Object(said).outcome ?? said];
}

describe.each(['SIGINT', 'loss'])('by %s at any of its statements', (by) => {
  it.each([[['rebuild']], [['redecide']]])('%s tells so in one JSON object and ends with 2', async (args) => {
    const ends = await endedAtEveryStep(args, by);
    expect(ends.length).toBeGreaterThan(4);
    // Who is stopped behind the last statement may have found already what there is.
    const others = ends.map(told).filter(([code, outcome]) => !(code === 0 && outcome === 'equal'));
    expect(others).toEqual(others.map(() => [2, 'could_not_run']));
    expect(others.length).toBeGreaterThan(2);
  });
});
