import { describe, expect, it, jest } from '@jest/globals';
import { Problem, topics } from '@latch/contracts';
import { countRecords } from './raw-kafka.ts';
import { systemUnderTest } from './system-under-test.ts';

jest.setTimeout(60_000);

const system = systemUnderTest();
const { ingress, talkTo } = system;
const valid = talkTo('retail_orders').requestFor('quero cancelar pedido');

const refused = {
  'no JSON': { body: '{"channel": ', status: 400, code: 'request.malformed' },
  'JSON that is no GatewayRequest': { body: { channel: 'web', payload: {} }, status: 422, code: 'request.invalid' },
  'an agent that does not exist': { body: { ...valid, agent_id: 'nobody' }, status: 422, code: 'agent.unknown' },
  'more than 256 KiB': {
    body: { ...valid, payload: { ...valid.payload, context: { text: 'x'.repeat(300 * 1024) } } },
    status: 413,
    code: 'request.too_large',
  },
};

describe('a request that is refused', () => {
  it.each(Object.entries(refused))('says why and never reaches Kafka: %s', async (_what, { body, status, code }) => {
    const before = await countRecords(system, topics.turns);
    const answer = await ingress.post(body);
    expect(answer.status).toBe(status);
    expect(Problem.parse(JSON.parse(answer.body))).toMatchObject({ status, code });
    expect(await countRecords(system, topics.turns)).toBe(before);
  });

  it('names every problem with its JSON path', async () => {
    const answer = await ingress.post({ channel: 7, payload: { message: 'oi', session_id: 's' } });
    const paths = Problem.parse(JSON.parse(answer.body)).errors?.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['$.channel', '$.payload.message_id']));
  });
});
