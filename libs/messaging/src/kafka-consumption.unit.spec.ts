import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { topics } from '@latch/contracts';
import { recordingLogger } from './fixtures/messages.ts';
import { KafkaConsumption } from './kafka-consumption.ts';

/** What kafkajs is told, and a join or a crash that comes about when a spec says so. */
async function openConsumption() {
  const happens = new EventEmitter();
  const told: string[] = [];
  let restarts: () => Promise<boolean> = () => Promise.reject(new Error('it was not asked for'));
  const say = (word: string) => (): Promise<void> => {
    told.push(word);
    return Promise.resolve();
  };
  const consumption = await KafkaConsumption.start({
    openConsumer: (restartOnFailure) => {
      restarts = restartOnFailure;
      return Object({
        events: { HEARTBEAT: 'heartbeat', GROUP_JOIN: 'join', FETCH: 'fetch', CRASH: 'crash' },
        on: (name: string, listener: (event: unknown) => void) => happens.on(name, listener),
        ...{ connect: say('connect'), subscribe: say('subscribe'), run: say('run'), disconnect: say('disconnect') },
      });
    },
    options: {
      topics: [topics.turns],
      groupId: 'g',
      handle: () => Promise.resolve(),
      onCrash: () => told.push('crash'),
    },
    ...{
      nameOf: (topic) => topic,
      topicOf: () => topics.turns,
      startAt: [],
      concurrency: 1,
      refusalOf: () => undefined,
    },
    times: { heartbeatMs: 1_000, stuckAfterMs: 60_000, drainMs: 10, commitMs: 1_000 },
    logger: recordingLogger(),
  });
  const joins = (): boolean => happens.emit('join', { payload: { groupId: 'g', memberAssignment: {} } });
  return { consumption, told, joins, restarts: () => restarts() };
}

describe('a consumption that was told to stop', () => {
  it('lets kafkajs start it again after a crash until then, and no more from then on', async () => {
    const { consumption, restarts } = await openConsumption();
    expect(await restarts()).toBe(true);
    const stopped = consumption.stop();
    expect(await restarts()).toBe(false);
    await stopped;
    expect(await restarts()).toBe(false);
  });

  it('leaves again when a join that was under way comes about late, and is no member', async () => {
    const { consumption, told, joins } = await openConsumption();
    joins();
    await consumption.stop();
    expect(told).toEqual(['connect', 'subscribe', 'run', 'disconnect']);
    joins();
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(told.filter((word) => word === 'disconnect')).toHaveLength(2);
    expect(consumption.isHealthy()).toBe(false);
  });
});
