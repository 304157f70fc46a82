import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { untilLeader } from './until-leader.ts';

const problem = (type: string): Error => Object.assign(new Error(type), { type });

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** What comes of asking who fails so often, and how often was asked. */
async function asked(fails: number, error: Error): Promise<{ readonly answer: unknown; readonly times: number }> {
  let times = 0;
  const answer = untilLeader(async () => {
    times += 1;
    if (times <= fails) throw error;
    return 'offsets';
  }).catch((thrown: unknown) => thrown);
  await jest.advanceTimersByTimeAsync(120_000);
  return { answer: await answer, times };
}

it.each(['NOT_LEADER_FOR_PARTITION', 'LEADER_NOT_AVAILABLE', 'UNKNOWN_TOPIC_OR_PARTITION'])(
  'is asked again while a partition has no leader: %s',
  async (type) => {
    expect(await asked(3, problem(type))).toEqual({ answer: 'offsets', times: 4 });
  },
);

it('is asked again while the leader of a partition has no address', async () => {
  const error = Object.assign(new Error('Broker -1 not found'), { name: 'KafkaJSBrokerNotFound' });
  expect(await asked(1, error)).toEqual({ answer: 'offsets', times: 2 });
});

it('is not asked for ever', async () => {
  const error = problem('LEADER_NOT_AVAILABLE');
  expect(await asked(100, error)).toEqual({ answer: error, times: 9 });
});

it('is not asked again after anything else', async () => {
  const error = problem('TOPIC_AUTHORIZATION_FAILED');
  expect(await asked(1, error)).toEqual({ answer: error, times: 1 });
});
