import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DeadLetter, RetryableError, TerminalError, topics } from '@latch/contracts';
import { eventually } from '@latch/testing';
import { type Bus } from './bus.ts';
import { consumeBatch, type ConsumeBatchOptions } from './consume-batch.ts';
import { toBusMessage } from './envelope.ts';
import { rawMessage, recordingLogger, signal } from './fixtures/messages.ts';
import { type Received } from './parse-record.ts';

/** What a consumer promises about bad messages, over every bus. */
export function consumeBatchFeatures(name: string, create: () => Promise<Bus>): void {
  describe(`consuming in batches (${name})`, () => {
    let bus: Bus;
    const deadLetters: string[] = [];
    const metrics: ConsumeBatchOptions['metrics'] = {
      deadLetters: { inc: ({ topic }) => void deadLetters.push(topic) },
      consumerLag: { set: () => undefined },
    };

    beforeEach(async () => {
      deadLetters.length = 0;
      bus = await create();
      await bus.ensureTopics();
    });
    afterEach(() => bus.close());

    const start = async (
      handle: (ids: string[]) => void | Promise<void>,
      onPoison?: ConsumeBatchOptions['onPoison'],
    ): Promise<{ handled: string[] }> => {
      const handled: string[] = [];
      await consumeBatch({
        bus,
        service: 'spec',
        groupId: 'spec',
        topics: [topics.signals],
        logger: recordingLogger(),
        metrics,
        onCrash: () => undefined,
        ...(onPoison === undefined ? {} : { onPoison }),
        handle: async (batch: readonly Received[]) => {
          const ids = batch.map(({ envelope }) => envelope.event_id);
          await handle(ids);
          handled.push(...ids);
        },
      });
      return { handled };
    };
    const buried = async (): Promise<{ letters: DeadLetter[]; envelopes: Received[] }> => {
      const letters: DeadLetter[] = [];
      const envelopes: Received[] = [];
      await consumeBatch({
        bus,
        service: 'undertaker',
        groupId: 'undertaker',
        topics: [topics.deadLetters],
        logger: recordingLogger(),
        metrics,
        onCrash: () => undefined,
        handle: async (batch) => {
          envelopes.push(...batch);
          letters.push(...batch.map(({ payload }) => DeadLetter.parse(payload)));
          await Promise.resolve();
        },
      });
      return { letters, envelopes };
    };

    it('keeps a bad message whole in the dead letters and handles the next one at once', async () => {
      const { letters, envelopes } = await buried();
      const { handled } = await start(() => undefined);
      const bad = 'not json \u{1F4A3} ação';
      await bus.publish([
        { ...rawMessage({ key: 'acme:a:s1', value: bad }), headers: { ce_id: 'x', traceparent: '00-aa-bb-01' } },
        toBusMessage(topics.signals, signal('s1', 1)),
      ]);
      await eventually(() => expect(handled).toEqual(['s1-1']));
      await eventually(() => expect(letters).toHaveLength(1));
      expect(Buffer.from(letters[0]?.value_base64 ?? '', 'base64').toString()).toBe(bad);
      expect(letters[0]).toMatchObject({
        source: { topic: topics.signals, key: 'acme:a:s1', headers: { ce_id: 'x', traceparent: '00-aa-bb-01' } },
        reason: { code: 'message.unparsable' },
        consumer: expect.stringContaining('spec'),
        attempts: 1,
      });
      expect(envelopes[0]).toMatchObject({
        envelope: { event_type: 'NOC.DEAD_LETTER', severity: 'major', producer: 'spec' },
        record: { headers: { traceparent: '00-aa-bb-01' } },
      });
      expect(deadLetters).toEqual([topics.signals]);
    });

    it('says whom a message belongs to when it is an envelope with a wrong payload', async () => {
      const { envelopes } = await buried();
      await start(() => undefined);
      const broken = { ...signal('s1', 1), payload: 'no object' };
      await bus.publish([rawMessage({ key: 'acme:telecom_contas:s1', value: JSON.stringify(broken) })]);
      await eventually(() => expect(envelopes).toHaveLength(1));
      expect(envelopes[0]?.envelope).toMatchObject({ tenant_id: 'acme', causation_id: 's1-1', trace_id: 'trace-1' });
    });

    it('lets no poison message block its partition, its conversation or its batch', async () => {
      const { letters } = await buried();
      const { handled } = await start((ids) => {
        if (ids.includes('s1-2')) throw new TypeError('cannot read 123.456.789-09');
      });
      const messages = [signal('s1', 1), signal('s1', 2), signal('s1', 3), signal('s2', 1)];
      await bus.publish(messages.map((envelope) => toBusMessage(topics.signals, envelope)));
      await eventually(() => expect(new Set(handled)).toEqual(new Set(['s1-1', 's1-3', 's2-1'])));
      await eventually(() => expect(letters).toHaveLength(1));
      expect(letters[0]?.reason.code).toBe('message.unhandled');
      expect(letters[0]?.reason.message).not.toContain('123.456');
      expect(handled.filter((id) => id.startsWith('s1'))).toEqual(['s1-1', 's1-3']);
    });

    it('goes on when whoever is told of a poison message fails on it too: one dead letter, and nothing is blocked', async () => {
      const { letters } = await buried();
      const refuse = (): never => {
        throw new TerminalError('it belongs to another conversation', { code: 'message.invalid' });
      };
      const { handled } = await start(
        (ids) => (ids.includes('s1-1') ? refuse() : undefined),
        async () => Promise.reject(new TerminalError('nor can it be answered', { code: 'message.invalid' })),
      );
      const messages = [signal('s1', 1), signal('s1', 2), signal('s2', 1)];
      await bus.publish(messages.map((envelope) => toBusMessage(topics.signals, envelope)));
      await eventually(() => expect(new Set(handled)).toEqual(new Set(['s1-2', 's2-1'])));
      await bus.publish([toBusMessage(topics.signals, signal('s1', 3))]);
      await eventually(() => expect(handled).toContain('s1-3'));
      expect(letters).toHaveLength(1);
    });

    it('buries nothing while the infrastructure is broken, and handles everything after, in order', async () => {
      const { letters } = await buried();
      let isAway = true;
      let tries = 0;
      const { handled } = await start(() => {
        tries += 1;
        if (isAway) throw new RetryableError('no database', { retryAfterMs: 20 });
      });
      const messages = Array.from({ length: 10 }, (_, n) => signal('s1', n));
      await bus.publish(messages.map((envelope) => toBusMessage(topics.signals, envelope)));
      await eventually(() => expect(tries).toBeGreaterThan(8));
      isAway = false;
      await eventually(() => expect(handled).toEqual(messages.map(({ event_id }) => event_id)));
      expect(letters).toEqual([]);
      expect(deadLetters).toEqual([]);
    });
  });
}
