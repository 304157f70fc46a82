import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { platformServiceNames } from '@latch/cli';
import { ChannelResponse } from '@latch/contracts';
import { sendUntilAnswered } from './send-until-answered.ts';
import { systemUnderTest } from './system-under-test.ts';

jest.setTimeout(120_000);

const { control, ingress, retail, talkTo } = systemUnderTest();

beforeEach(() => retail.reset());

describe.each([...platformServiceNames])('%s killed with -9 while a confirmed call is under way', (service) => {
  it.each([20, 120])('after %i ms: one effect, one answer, the whole evidence', async (delayMs) => {
    const talk = talkTo('retail_orders');
    await talk.ask('quero cancelar o pedido PED-1001');
    const answering = sendUntilAnswered(ingress, talk.requestFor('sim'));
    await sleep(delayMs);
    await control.kill(service, { waitUntilReady: true });
    const response = ChannelResponse.parse(JSON.parse(await answering));
    expect(response.metadata).toMatchObject({ transaction_status: 'COMPLETED', outcome: 'SUCCESS' });
    expect((await retail.calls()).totalEffects).toBe(1);
    const events = await ingress.events(talk.conversationKey);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    expect(events.filter(({ event_type }) => event_type === 'IC.TURN_ANSWERED')).toHaveLength(2);
    expect(events.filter(({ event_type }) => event_type === 'IC.EXECUTION_STARTED')).toHaveLength(1);
  });
});
