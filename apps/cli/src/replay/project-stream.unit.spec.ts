import { describe, expect, it } from '@jest/globals';
import { type AgentConfig, agentDigest } from '@latch/contracts';
import { type StoredStream, type TurnRow } from '@latch/event-store';
import { pinnedConfigs } from '@latch/replay';
import { historyAgents } from '../histories/history-agents.ts';
import { historyScripts } from '../histories/history-scripts.ts';
import { agreeing } from '../histories/history-script.ts';
import { PlayedConversation } from '../histories/played-conversation.ts';
import { projectStream } from './project-stream.ts';

const agentOf = await historyAgents();

function configsOf(talk: PlayedConversation): ReturnType<typeof pinnedConfigs> {
  const known = new Map<string, AgentConfig>(talk.configurations().map((agent) => [agent.digest, agent]));
  return pinnedConfigs({ readConfigVersion: (digest) => Promise.resolve(known.get(digest)) });
}

/** A turn with its answer as a value: the store keeps the members of what a tool said in an order of its own. */
function opened({ response, ...turn }: TurnRow): object {
  const answer: unknown = response === null ? null : JSON.parse(response);
  return { ...turn, answer };
}

/** The stream as it was written before the digest of a request was kept. */
function withoutBodyDigests({ conversation, events }: StoredStream): StoredStream {
  const older = events.map((event) => {
    const payload: unknown = JSON.parse(event.payloadText, (key, value) => (key === 'bodyDigest' ? undefined : value));
    return { ...event, payload };
  });
  return { conversation, events: older };
}

/** A customer whose key identity.yaml finds in the context of the channel. */
function talkOfKnownCustomer(): PlayedConversation {
  const { digest: _own, ...agent } = agentOf('retail_orders');
  const identity = { everywhere: { customer_key: ['context.phone'] }, channels: {} };
  const identified = { ...agent, identity, digest: agentDigest({ ...agent, identity }) };
  const talk = new PlayedConversation({ agent: identified, sessionId: 'identified', domain: agreeing });
  const context = { phone: '11999990001' };
  return talk.says('quero cancelar o pedido PED-1001', { context }).says('sim', { context });
}

describe('the projections of a conversation, made again from its events alone', () => {
  it.each(historyScripts.map(({ name, play }) => [name, play] as const))(
    'are those that were stored: %s',
    async (name, play) => {
      const talk = play(agentOf);
      const projected = await projectStream(talk.stream(), configsOf(talk));
      const { turns, transactions } = talk.append();
      expect(projected?.turns?.map(opened)).toEqual(turns.map(opened));
      if (name !== 'damaged-snapshot') expect(projected?.transactions).toEqual(transactions);
    },
  );

  it('know each turn by the digest of the request that came, also where identity.yaml found who it was', async () => {
    const talk = talkOfKnownCustomer();
    const projected = await projectStream(talk.stream(), configsOf(talk));
    const digests = talk.append().turns.map(({ bodyDigest }) => bodyDigest);
    expect(new Set(digests).size).toBe(2);
    expect(projected?.turns?.map(({ bodyDigest }) => bodyDigest)).toEqual(digests);
  });

  it('hold a turn that was recorded without that digest all the same', async () => {
    const talk = talkOfKnownCustomer();
    const projected = await projectStream(withoutBodyDigests(talk.stream()), configsOf(talk));
    expect(projected?.turns?.map(({ turnId }) => turnId)).toEqual(talk.append().turns.map(({ turnId }) => turnId));
  });
});
