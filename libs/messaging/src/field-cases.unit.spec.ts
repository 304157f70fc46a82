import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { DeadLetter, EventEnvelope, topics } from '@latch/contracts';
import { eventually } from '@latch/testing';
import { consumeBatch, type ConsumeBatchOptions } from './consume-batch.ts';
import { toDeadLetter } from './dead-letter.ts';
import { makeEnvelope, toBusMessage } from './envelope.ts';
import { recordingLogger, recordOf } from './fixtures/messages.ts';
import { MemoryBus } from './memory-bus.ts';

/** Reports from the field about messages that cannot be handled (fixtures/NOTICE.md). */
type Case = {
  readonly id: string;
  readonly input: {
    readonly sequence: readonly { readonly event_id: string; readonly payload: { results: unknown } }[];
  };
};
const cases: readonly Case[] = readFileSync(new URL('./fixtures/field-cases.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line): Case => JSON.parse(line));

const metrics: ConsumeBatchOptions['metrics'] = {
  deadLetters: { inc: () => undefined },
  consumerLag: { set: () => undefined },
};

describe('reports about messages that cannot be handled', () => {
  it('event-driven 002: a payload that breaks its contract is parked with the reason, once, and the next one is handled', async () => {
    const bus = new MemoryBus({ partitions: 1, logger: recordingLogger() });
    await bus.ensureTopics();
    const [handled, letters]: [string[], DeadLetter[]] = [[], []];
    const common = { bus, logger: recordingLogger(), metrics, onCrash: () => undefined };
    await consumeBatch({
      ...common,
      service: 'undertaker',
      groupId: 'undertaker',
      topics: [topics.deadLetters],
      handle: (batch) => Promise.resolve(void letters.push(...batch.map(({ payload }) => DeadLetter.parse(payload)))),
    });
    await consumeBatch({
      ...common,
      service: 'result-normalizer',
      groupId: 'result-normalizer',
      topics: [topics.toolResults],
      handle: (batch) => Promise.resolve(void handled.push(...batch.map(({ envelope }) => envelope.event_id))),
    });
    const [bad, good] = cases[0]?.input.sequence ?? [];
    await bus.publish([
      resultMessage(bad?.event_id, { items: bad?.payload.results }),
      resultMessage(good?.event_id, { items: [] }),
    ]);
    await eventually(() => expect([handled, letters.length]).toEqual([['e-2'], 1]));
    expect(letters[0]).toMatchObject({ reason: { code: 'message.invalid' }, attempts: 1 });
    expect(letters[0]?.reason.message).toContain('items');
    await bus.close();
    expect(letters).toHaveLength(1);
  });

  it('event-driven 004: a parked copy tells where the message came from, why and when, and no personal data in the reason', () => {
    const record = recordOf('x', { topic: topics.turns, partition: 3, offset: '991' });
    const message = 'Error: cannot read the CPF 529.982.247-25 of ana.souza@example.com';
    const failed = { record, reason: { code: 'message.unhandled', message }, attempts: 4 } as const;
    const envelope = EventEnvelope.parse(JSON.parse(toDeadLetter(failed, { service: 'spec', groupId: 'g' }).value));
    const letter = DeadLetter.parse(envelope.payload);
    expect(letter).toMatchObject({ source: { topic: topics.turns, partition: 3, offset: '991' }, attempts: 4 });
    expect(Number.isNaN(Date.parse(letter.failed_at))).toBe(false);
    expect(letter.reason.message).toContain('cannot read');
    expect(letter.reason.message).not.toMatch(/529|ana\.souza/);
  });

  it('are all held', () => {
    expect(cases.map(({ id }) => id)).toEqual(['field-event-driven-002', 'field-event-driven-004']);
  });
});

function resultMessage(eventId = '', more: Readonly<Record<string, unknown>>) {
  return toBusMessage(
    topics.toolResults,
    makeEnvelope({
      eventType: 'IC.TOOL_COMPLETED',
      payload: { tool_name: 't', ok: true, data: {}, latency_ms: 1, ...more },
      contractVersion: 'tool-result-v1',
      tenantId: 'acme',
      agentId: 'a',
      sessionId: 's',
      conversationKey: 'acme:a:s',
      traceId: 't',
      eventId,
      producer: 'spec',
      timestamp: '2026-11-30T12:00:00.000Z',
    }),
  );
}
