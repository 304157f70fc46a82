import { describe, expect, it, jest } from '@jest/globals';
import { RetryableError, TerminalError } from '@latch/contracts';
import { type ProducerBatch, type ProducerConfig, type RecordMetadata } from 'kafkajs';
import { rawMessage, recordingLogger } from './fixtures/messages.ts';
import { KafkaProducer } from './kafka-producer.ts';

/** A kafkajs whose producers answer sends one after the other with `answers`, and then accept everything. */
function clientOf(answers: readonly (Error | null)[]): {
  kafka: ConstructorParameters<typeof KafkaProducer>[0]['kafka'];
  made: ProducerConfig[];
  sends: { producer: number; batch: ProducerBatch }[];
} {
  const made: ProducerConfig[] = [];
  const sends: { producer: number; batch: ProducerBatch }[] = [];
  const kafka = {
    producer: (config: ProducerConfig) => {
      made.push(config);
      const producer = made.length;
      return {
        connect: () => Promise.resolve(),
        disconnect: () => Promise.resolve(),
        sendBatch: (batch: ProducerBatch): Promise<RecordMetadata[]> => {
          sends.push({ producer, batch });
          const answer = answers[sends.length - 1];
          return answer ? Promise.reject(answer) : Promise.resolve([]);
        },
      };
    },
  };
  return { kafka, made, sends };
}

const producerOver = (kafka: ReturnType<typeof clientOf>['kafka'], giveUpAfterMs = 1_000): KafkaProducer =>
  new KafkaProducer({ kafka, topicPrefix: 'p-', logger: recordingLogger(), giveUpAfterMs });

describe('the Kafka producer', () => {
  it('is idempotent, with one request in flight and acks of all replicas', async () => {
    const { kafka, made, sends } = clientOf([]);
    await producerOver(kafka).send([rawMessage({ key: 'a', value: '1' }), rawMessage({ key: 'b', value: '2' })]);
    expect(made).toMatchObject([{ idempotent: true, maxInFlightRequests: 1, allowAutoTopicCreation: false }]);
    expect(sends[0]?.batch).toMatchObject({
      acks: -1,
      topicMessages: [{ topic: 'p-latch.signals.v1', messages: [{ key: 'a' }, { key: 'b' }] }],
    });
  });

  it('never sends other messages under the numbers of a failed send: it takes a new producer', async () => {
    const { kafka, sends } = clientOf([new Error('out of order sequence number')]);
    const producer = producerOver(kafka);
    await producer.send([rawMessage({ key: 'a', value: '1' })]);
    await producer.send([rawMessage({ key: 'a', value: '2' })]);
    expect(sends.map((send) => send.producer)).toEqual([1, 2, 2]);
    expect(producer.isHealthy()).toBe(true);
  });

  it('gives a send back as retryable when Kafka does not take it in time, and is unhealthy until one is taken', async () => {
    const { kafka } = clientOf(Array.from({ length: 20 }, () => new Error('away')));
    const producer = producerOver(kafka, 100);
    await expect(producer.send([rawMessage({ key: 'a', value: '1' })])).rejects.toBeInstanceOf(RetryableError);
    expect(producer.isHealthy()).toBe(false);
  });

  it('gives a send back at once when Kafka does not let it, says why until one is taken, and tries no other producer', async () => {
    const { kafka, sends } = clientOf([new Error('denied')]);
    const refusalOf = (error: unknown, topics: readonly string[]): string => `${String(error)} on ${topics.join()}`;
    const logger = recordingLogger();
    const producer = new KafkaProducer({ kafka, topicPrefix: 'p-', logger, giveUpAfterMs: 10_000, refusalOf });
    await expect(producer.send([rawMessage({ key: 'a', value: '1' })])).rejects.toThrow('denied on p-latch.signals.v1');
    expect(sends).toHaveLength(1);
    expect(producer.trouble()).toBe('Error: denied on p-latch.signals.v1');
    expect(logger.lines.map(({ event }) => event)).toEqual(['bus.send_refused']);
    await producer.send([rawMessage({ key: 'a', value: '1' })]);
    expect(producer.trouble()).toBeUndefined();
  });

  it('leaves no connection open where it gets no number as a producer', async () => {
    const disconnect = jest.fn(() => Promise.resolve());
    const connect = (): Promise<void> => Promise.reject(new Error('denied'));
    const kafka = { producer: () => ({ connect, disconnect, sendBatch: () => Promise.resolve([]) }) };
    await expect(producerOver(kafka).connect()).rejects.toBeInstanceOf(RetryableError);
    expect(disconnect).toHaveBeenCalledTimes(1);
  });

  it('is well again some time after a failure, though nothing was sent since: what is taken out of traffic sends nothing', async () => {
    const { kafka } = clientOf([new Error('away'), new Error('away'), new Error('away')]);
    const producer = producerOver(kafka, 1);
    await expect(producer.send([rawMessage({ key: 'a', value: '1' })])).rejects.toBeInstanceOf(RetryableError);
    const failedAt = performance.now();
    const clock = jest.spyOn(performance, 'now');
    clock.mockReturnValue(failedAt + 9_000);
    expect(producer.isHealthy()).toBe(false);
    clock.mockReturnValue(failedAt + 10_001);
    expect(producer.isHealthy()).toBe(true);
    clock.mockRestore();
  });

  it('has kafkajs try for half of the promised time, so that a second producer fits into the other half', async () => {
    const { kafka, made } = clientOf([]);
    await producerOver(kafka, 10_000).connect();
    // 100 + 200 + 400 + 800 + 3 x 1,000 ms; one more would pass 5,000.
    expect(made[0]?.retry).toEqual({ initialRetryTime: 100, multiplier: 2, maxRetryTime: 1_000, retries: 7 });
  });

  it('gives a send back with its second failure when each took half of the time', async () => {
    const { kafka, sends } = clientOf(Array.from({ length: 9 }, () => new Error('away')));
    await expect(producerOver(kafka, 390).send([rawMessage({ key: 'a', value: '1' })])).rejects.toMatchObject({
      name: 'RetryableError',
    });
    expect(sends.map(({ producer }) => producer)).toEqual([1, 2]);
  });

  it('says at once that a message is too large', async () => {
    const tooLarge = Object.assign(new Error('wrapped'), {
      cause: Object.assign(new Error(), { type: 'MESSAGE_TOO_LARGE' }),
    });
    const { kafka, sends } = clientOf([tooLarge]);
    await expect(producerOver(kafka).send([rawMessage({ key: 'a', value: '1' })])).rejects.toBeInstanceOf(
      TerminalError,
    );
    expect(sends).toHaveLength(1);
  });
});
