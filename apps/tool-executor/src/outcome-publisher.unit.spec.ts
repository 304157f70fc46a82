import { describe, expect, it } from '@jest/globals';
import { type BusMessage, topics } from '@latch/contracts';
import { type Bus } from '@latch/messaging';
import { silent } from './executor-fixture.features.ts';
import { OutcomePublisher } from './outcome-publisher.ts';

const message: BusMessage = {
  topic: topics.toolExecutions,
  key: 'a:b:c',
  value: '{}',
  headers: {},
  eventId: 'event-1',
};

function publisherInto(
  published: BusMessage[],
  publish?: Bus['publish'],
  forgotten: string[][] = [],
): OutcomePublisher {
  return new OutcomePublisher({
    bus: { publish: publish ?? ((messages) => Promise.resolve(void published.push(...messages))) },
    outbox: { markPublished: (eventIds) => Promise.resolve(void forgotten.push([...eventIds])) },
    logger: silent,
  });
}

describe('an outcome is published', () => {
  it('also after nothing was', async () => {
    const published: BusMessage[] = [];
    const publisher = publisherInto(published);
    publisher.publish([]);
    await publisher.close();
    publisher.publish([message]);
    await publisher.close();
    expect(published).toEqual([message]);
  });

  it('also after a bus that threw at once', async () => {
    const published: BusMessage[] = [];
    let isBroken = true;
    const publisher = publisherInto(published, (messages) => {
      if (isBroken) throw new Error('broken');
      return Promise.resolve(void published.push(...messages));
    });
    publisher.publish([message]);
    await publisher.close();
    isBroken = false;
    publisher.publish([message]);
    await publisher.close();
    expect(published).toEqual([message]);
  });

  it('and the rows of many leave the outbox together, all of them before it is closed', async () => {
    const forgotten: string[][] = [];
    const publisher = publisherInto([], undefined, forgotten);
    for (const eventId of ['1', '2', '3']) {
      publisher.publish([{ ...message, eventId }]);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(forgotten).toEqual([]);
    await publisher.close();
    expect(forgotten).toEqual([['1', '2', '3']]);
  });

  it('and what did not reach the bus stays in the outbox, for the relay', async () => {
    const forgotten: string[][] = [];
    const publisher = publisherInto([], () => Promise.reject(new Error('away')), forgotten);
    publisher.publish([message]);
    await publisher.close();
    expect(forgotten).toEqual([]);
  });
});
