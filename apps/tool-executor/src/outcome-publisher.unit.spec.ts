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

function publisherInto(published: BusMessage[], publish?: Bus['publish']): OutcomePublisher {
  return new OutcomePublisher({
    bus: { publish: publish ?? ((messages) => Promise.resolve(void published.push(...messages))) },
    outbox: { markPublished: () => Promise.resolve() },
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
});
