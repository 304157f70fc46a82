import { describe, expect, it } from '@jest/globals';
import { type BusMessage, RetryableError, topics } from '@latch/contracts';
import { emitSignals } from './emit-signals.ts';
import { recordingLogger, signal } from './fixtures/messages.ts';

describe('emitting signals', () => {
  it('publishes them on the signals topic', async () => {
    const published: BusMessage[] = [];
    const bus = { publish: (messages: readonly BusMessage[]) => Promise.resolve(void published.push(...messages)) };
    await emitSignals({ bus, logger: recordingLogger() }, [signal('s1', 1), signal('s1', 2)]);
    expect(published.map(({ topic, eventId }) => [topic, eventId])).toEqual([
      [topics.signals, 's1-1'],
      [topics.signals, 's1-2'],
    ]);
  });

  it('logs, and does not throw, when the bus is away', async () => {
    const logger = recordingLogger();
    const bus = { publish: () => Promise.reject(new RetryableError('away')) };
    await emitSignals({ bus, logger }, [signal('s1', 1)]);
    expect(logger.lines).toMatchObject([{ level: 'warn', event: 'signals.not_published' }]);
  });
});
