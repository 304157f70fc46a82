import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { platformServiceNames } from '@latch/cli';
import { ChannelResponse } from '@latch/contracts';
import { sendUntilAnswered } from './send-until-answered.ts';
import { systemUnderTest } from './system-under-test.ts';

jest.setTimeout(120_000);

const { control, ingress, retail, talkTo } = systemUnderTest();

beforeEach(() => retail.reset());

describe.each([...platformServiceNames])('%s told to stop while turns are under way', (service) => {
  it('drains: every turn is answered once, none is lost, none is done twice', async () => {
    const talks = Array.from({ length: 8 }, () => talkTo('retail_orders'));
    const answering = talks.map((talk) =>
      sendUntilAnswered(ingress, talk.requestFor('quero consultar o pedido PED-1001')),
    );
    await control.terminate(service);
    const answers = await Promise.all(answering);
    for (const answer of answers) {
      expect(ChannelResponse.parse(JSON.parse(answer)).metadata).toMatchObject({ transaction_status: 'COMPLETED' });
    }
    for (const talk of talks) {
      const types = (await ingress.events(talk.conversationKey)).map(({ event_type }) => event_type);
      expect(types.filter((type) => type === 'IC.TURN_ANSWERED')).toHaveLength(1);
    }
    await control.waitUntilReady(service);
  });
});
