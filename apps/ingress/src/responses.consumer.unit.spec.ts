import { describe, expect, it } from '@jest/globals';
import { RetryableError, type Topic, topics } from '@latch/contracts';
import { type BusRecord, type ConsumeOptions } from '@latch/messaging';
import { createLogger } from '@latch/observability';
import { type Reply } from './reply-hub.ts';
import { consumeResponses } from './responses.consumer.ts';

const running = { pause: () => undefined, resume: () => undefined, stop: () => Promise.resolve() };

/** A bus whose `consume` fails with these errors first, and then gives its options away. */
function scriptedBus(...failures: Error[]) {
  const joined: ConsumeOptions[] = [];
  const replies: Reply[] = [];
  const lines: string[] = [];
  const logger = createLogger({ service: 'ingress', destination: { write: (line) => lines.push(line) } });
  const consume = (options: ConsumeOptions) => {
    const failure = failures.shift();
    if (failure) return Promise.reject(failure);
    joined.push(options);
    return Promise.resolve(running);
  };
  const parts = {
    bus: { consume },
    hub: { deliver: (reply: Reply) => replies.push(reply), isWatched: () => false, tellProgress: () => undefined },
    logger,
    onCrash: () => undefined,
  };
  const handle = (...values: (string | object)[]): Promise<void> | undefined =>
    joined[0]?.handle(values.map(recordOf), { signal: new AbortController().signal, progress: () => undefined });
  return { parts, joined, replies, lines, handle };
}

function recordOf(value: string | object, index: number): BusRecord {
  const topic: Topic = topics.responses;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return {
    topic,
    partition: 0,
    offset: String(index),
    key: 'k',
    value: Buffer.from(text),
    headers: {},
    timestampMs: 0,
  };
}

function envelope(event_type: string, payload: object): object {
  const scope = { tenant_id: 'default', agent_id: 'a', session_id: 's', trace_id: 't' };
  return { event_type, timestamp: '2026-11-30T10:00:00.000Z', ...scope, payload };
}

const response = {
  channel: 'web',
  session_id: 'default:a:s',
  text: 'pronto',
  metadata: { tenant_id: 'default', agent_id: 'a', guardrails: [], judges: [], turn_id: 'turn-1', body_digest: 'd1' },
};

describe("the replies' consumer", () => {
  it('joins a group of its own, at the end of the topic', async () => {
    const [one, two] = [scriptedBus(), scriptedBus()];
    await consumeResponses(one.parts);
    await consumeResponses(two.parts);
    expect(one.joined[0]).toMatchObject({ topics: [topics.responses, topics.signals], from: 'latest' });
    expect(one.joined[0]?.groupId).not.toBe(two.joined[0]?.groupId);
  });

  it('tries again while the bus does not let it in', async () => {
    const bus = scriptedBus(new RetryableError('no leader yet'), new RetryableError('no leader yet'));
    await consumeResponses(bus.parts);
    expect(bus.joined).toHaveLength(1);
    expect(bus.lines.filter((line) => line.includes('follower.join_repeated'))).toHaveLength(2);
  });

  it('gives up at once on a bug', async () => {
    await expect(consumeResponses(scriptedBus(new TypeError('bug')).parts)).rejects.toThrow('bug');
  });

  it('delivers answers and conflicts with the body that they belong to', async () => {
    const bus = scriptedBus();
    await consumeResponses(bus.parts);
    const conflict = { turn_id: 'turn-2', body_digest: 'd2', code: 'turn.conflict', message: 'x' };
    await bus.handle(envelope('IC.AGENT_COMPLETED', response), envelope('IC.TURN_CONFLICT', conflict));
    expect(bus.replies).toEqual([
      { kind: 'answered', turnId: 'turn-1', bodyDigest: 'd1', response },
      { kind: 'conflict', turnId: 'turn-2', bodyDigest: 'd2' },
    ]);
  });

  it('finds the turn of an answer that names it only as its cause', async () => {
    const bus = scriptedBus();
    await consumeResponses(bus.parts);
    const metadata = { tenant_id: 'default', agent_id: 'a', guardrails: [], judges: [] };
    const answer = { ...envelope('IC.AGENT_COMPLETED', { ...response, metadata }), causation_id: 'turn-3' };
    await bus.handle(answer);
    expect(bus.replies).toMatchObject([{ turnId: 'turn-3', bodyDigest: undefined }]);
  });

  it('passes over what it cannot read, with one line in the log, and delivers the next', async () => {
    const bus = scriptedBus();
    await consumeResponses(bus.parts);
    await bus.handle(
      'no json',
      envelope('IC.AGENT_COMPLETED', { text: 1 }),
      envelope('IC.TURN_CONFLICT', response),
      envelope('IC.AGENT_COMPLETED', response),
    );
    expect(bus.replies.map(({ turnId }) => turnId)).toEqual(['turn-1']);
    expect(bus.lines.filter((line) => line.includes('response.unreadable'))).toHaveLength(3);
  });
});
