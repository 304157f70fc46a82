import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@latch/observability';
import { eventually } from '@latch/testing';
import { startForgettingClaims } from './forget-claims.ts';

const logger = createLogger({ service: 'orchestrator', level: 'silent' });

describe('forgetting old claims', () => {
  it('goes on until few are left, survives a failure, comes back later, and stops', async () => {
    const answers = [5_000, 5_000, 12, 'away', 3];
    const asked: number[] = [];
    const stop = startForgettingClaims({
      store: {
        forgetOldClaims: ({ olderThanHours }) => {
          asked.push(olderThanHours);
          const answer = answers.shift() ?? 0;
          return typeof answer === 'number' ? Promise.resolve(answer) : Promise.reject(new Error(answer));
        },
      },
      logger,
      olderThanHours: 336,
      everyMs: 5,
    });
    await eventually(() => expect(answers).toEqual([]));
    await stop();
    const calls = asked.length;
    await new Promise((resolve) => setTimeout(resolve, 25));
    expect(asked).toHaveLength(calls);
    expect(new Set(asked)).toEqual(new Set([336]));
  });
});
