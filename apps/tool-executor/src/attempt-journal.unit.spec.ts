import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Attempt, type RawOutcome } from '@latch/contracts';
import { AttemptJournal } from './attempt-journal.ts';

const timedOut: RawOutcome = { kind: 'timeout', timeout_ms: 1, sent: true };

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** A journal that tells which attempts each of its statements has kept. */
function openJournal(fails: { commit?: boolean; save?: boolean } = {}): {
  readonly journal: AttemptJournal;
  readonly kept: string[];
  readonly fails: { commit?: boolean; save?: boolean };
} {
  const kept: string[] = [];
  const note = async (what: 'commit' | 'save', ended: readonly Attempt[]): Promise<void> => {
    const isFailing = fails[what] === true;
    kept.push(`${what} ${ended.map(({ number }) => number).join(',')}${isFailing ? ' fails' : ''}`);
    if (isFailing) throw new Error('no database');
  };
  const journal = new AttemptJournal([], {
    commit: async ({ ended }) => note('commit', ended).then(() => true),
    save: async (ended) => note('save', ended),
    now: () => '2026-12-01T12:00:00.000Z',
  });
  return { journal, kept, fails };
}

describe('the end of an attempt', () => {
  it('is kept by itself while another attempt of the invocation runs', async () => {
    const { journal, kept } = openJournal();
    const [first] = [await journal.begin('a'), await journal.begin('b')];
    first?.end(timedOut);
    await jest.advanceTimersByTimeAsync(100);
    expect(kept).toEqual(['commit ', 'commit ', 'save 1']);
    await journal.begin('c');
    expect(kept.at(-1)).toBe('commit ');
  });

  it('is kept a tenth of a second later also where others go on to end before that', async () => {
    const { journal, kept } = openJournal();
    const attempts = [await journal.begin('a'), await journal.begin('b'), await journal.begin('c')];
    for (const attempt of attempts) {
      attempt?.end(timedOut);
      await jest.advanceTimersByTimeAsync(60);
    }
    expect(kept).toEqual(['commit ', 'commit ', 'commit ', 'save 1,2']);
    await jest.advanceTimersByTimeAsync(40);
    expect(kept.at(-1)).toBe('save 3');
  });

  it('costs no statement of its own where the next attempt begins, or the outcome is there, at once', async () => {
    const { journal, kept } = openJournal();
    (await journal.begin('a'))?.end(timedOut);
    (await journal.begin('b'))?.end(timedOut);
    journal.close();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(kept).toEqual(['commit ', 'commit 1']);
  });

  it.each(['save', 'commit'] as const)('is kept by the next statement when a %s has failed', async (what) => {
    const { journal, kept, fails } = openJournal();
    (await journal.begin('a'))?.end(timedOut);
    fails[what] = true;
    if (what === 'save') await jest.advanceTimersByTimeAsync(100);
    else await expect(journal.begin('b')).rejects.toThrow('no database');
    fails[what] = false;
    await journal.begin('c');
    expect(kept).toEqual(['commit ', `${what} 1 fails`, 'commit 1']);
  });

  it('is not kept any more when another instance has taken the invocation over', async () => {
    const kept: string[] = [];
    let isOurs = true;
    const journal = new AttemptJournal([], {
      commit: async () => isOurs,
      save: async () => void kept.push('save'),
      now: () => '2026-12-01T12:00:00.000Z',
    });
    const first = await journal.begin('a');
    isOurs = false;
    expect(await journal.begin('b')).toBeNull();
    first?.end(timedOut);
    await jest.advanceTimersByTimeAsync(100);
    expect(kept).toEqual([]);
  });
});
