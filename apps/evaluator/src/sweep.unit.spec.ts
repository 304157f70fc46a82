import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@latch/observability';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { type Judging } from './judge-turns.ts';
import { startSweep } from './sweep.ts';
import { answerEnvelope, responseTo } from './turn.features.ts';

/** A store in which more answers wait than are ever judged. */
function endlessWork(): { judging: Judging; looks: () => number } {
  let looks = 0;
  const answers = Array.from({ length: 64 }, () => answerEnvelope(responseTo(undefined), { causedBy: 'turn-1' }));
  const store: Judging['store'] = {
    remember: () => Promise.resolve(),
    waitingIn: () => Promise.resolve([]),
    waitingSince: async () => {
      looks += 1;
      await nextTurn();
      return answers;
    },
    evidenceFor: () => Promise.resolve([]),
    save: (results) => Promise.resolve(results),
    forget: () => Promise.resolve(),
    setAside: () => Promise.resolve(),
    forgetEvidenceBefore: () => Promise.resolve(),
    list: () => Promise.resolve([]),
    now: () => Promise.resolve(new Date()),
  };
  const judging: Judging = {
    store,
    approvals: { readApprovedInvocations: () => Promise.resolve(new Map()) },
    bus: { publish: () => Promise.resolve() },
    logger: createLogger({ service: 'spec', level: 'silent' }),
  };
  return { judging, looks: () => looks };
}

describe('a sweep that has more to judge than it can', () => {
  it('ends with the look that is running when it is stopped', async () => {
    const { judging, looks } = endlessWork();
    const stop = startSweep(judging, {
      LATCH_EVIDENCE_WAIT_MS: 0,
      LATCH_EVIDENCE_KEEP_HOURS: 1,
      LATCH_SWEEP_EVERY_MS: 10,
    });
    while (looks() < 2) await sleep(5);
    const isStopped = await Promise.race([stop().then(() => true), sleep(15_000, false, { ref: false })]);
    expect(isStopped).toBe(true);
    const before = looks();
    await sleep(50);
    expect(looks()).toBe(before);
  });
});
