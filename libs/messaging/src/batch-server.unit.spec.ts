import 'reflect-metadata';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RetryableError, type Topic, topics } from '@latch/contracts';
import { eventually } from '@latch/testing';
import { Controller, type INestMicroservice, Injectable, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { BatchServer } from './batch-server.ts';
import { type BatchContext } from './bus.ts';
import { toBusMessage } from './envelope.ts';
import { recordingLogger, signal } from './fixtures/messages.ts';
import { MemoryBus } from './memory-bus.ts';
import { OnTopics } from './on-topics.ts';
import { type Received } from './parse-record.ts';

@Injectable()
class Diary {
  readonly batches: string[][] = [];
  failures: Error[] = [];
}

@Controller()
class SignalsConsumer {
  constructor(private readonly diary: Diary) {}

  @OnTopics(topics.signals, topics.evaluations)
  async handle(batch: readonly Received[], context: BatchContext): Promise<void> {
    await Promise.resolve();
    if (context.signal.aborted) return;
    const failure = this.diary.failures.shift();
    if (failure) throw failure;
    this.diary.batches.push(batch.map(({ envelope }) => envelope.event_id));
  }
}

@Controller()
class SecondConsumer {
  constructor(private readonly diary: Diary) {}

  @OnTopics(topics.signals)
  async handle(batch: readonly Received[]): Promise<void> {
    this.diary.batches.push(batch.map(({ envelope }) => `second:${envelope.event_id}`));
    await Promise.resolve();
  }
}

describe('the batch server of a Nest application', () => {
  let bus: MemoryBus;
  let app: INestMicroservice;
  const logger = recordingLogger();
  const deadLetters: string[] = [];

  beforeEach(() => {
    bus = new MemoryBus({ partitions: 2, logger });
    deadLetters.length = 0;
  });
  afterEach(async () => {
    await app.close();
    await bus.close();
  });

  const start = async (...controllers: Type<unknown>[]): Promise<{ diary: Diary; server: BatchServer }> => {
    class SpecModule {}
    const server = new BatchServer({
      bus,
      service: 'spec',
      logger,
      metrics: {
        deadLetters: { inc: ({ topic }) => void deadLetters.push(topic) },
        consumerLag: { set: () => undefined },
      },
      onCrash: () => undefined,
    });
    const module = { module: SpecModule, controllers, providers: [Diary] };
    app = await NestFactory.createMicroservice(module, { strategy: server, logger: false });
    await app.listen();
    return { diary: app.get(Diary), server };
  };
  const publish = (topic: Topic, n: number): Promise<void> => bus.publish([toBusMessage(topic, signal('s1', n))]);

  it('runs no consumer when one of them cannot start, such as one whose topic is missing', async () => {
    const consume = bus.consume.bind(bus);
    const stopped: string[] = [];
    jest.spyOn(bus, 'consume').mockImplementation(async (options) => {
      if (options.topics.includes(topics.evaluations)) throw new RetryableError('The topic is missing.');
      await new Promise((resolve) => setTimeout(resolve, 20)); // it is still joining when the other fails
      const consumption = await consume(options);
      return { ...consumption, stop: () => Promise.resolve(void stopped.push(options.groupId)).then(consumption.stop) };
    });
    await expect(start(SignalsConsumer, SecondConsumer)).rejects.toThrow('The topic is missing.');
    expect(stopped).toEqual(['spec.latch.signals.v1']);
  });

  it('hands injected controllers one batch over all their topics', async () => {
    const { diary } = await start(SignalsConsumer);
    await publish(topics.signals, 1);
    await publish(topics.signals, 2);
    await eventually(() => expect(diary.batches.flat()).toEqual(['s1-1', 's1-2']));
  });

  it('sees which kind of error a handler threw: broken infrastructure is repeated and never buried', async () => {
    const { diary } = await start(SignalsConsumer);
    diary.failures = Array.from({ length: 6 }, () => new RetryableError('no database', { retryAfterMs: 1 }));
    await publish(topics.signals, 1);
    await eventually(() => expect(diary.batches).toEqual([['s1-1']]));
    expect(deadLetters).toEqual([]);
  });

  it('buries a message on which the handler fails for good, and goes on', async () => {
    const { diary } = await start(SignalsConsumer);
    diary.failures = Array.from({ length: 3 }, () => new TypeError('boom'));
    await publish(topics.signals, 1);
    await eventually(() => expect(deadLetters).toEqual([topics.signals]));
    await publish(topics.signals, 2);
    await eventually(() => expect(diary.batches).toEqual([['s1-2']]));
  });

  it('gives several handlers a group each, so that each gets everything', async () => {
    const { diary } = await start(SignalsConsumer, SecondConsumer);
    await publish(topics.signals, 1);
    await eventually(() => expect(diary.batches.flat().sort()).toEqual(['s1-1', 'second:s1-1']));
  });

  it('pauses and resumes all its consumers', async () => {
    const { diary, server } = await start(SignalsConsumer);
    server.pause();
    await publish(topics.signals, 1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(diary.batches).toEqual([]);
    server.resume();
    await eventually(() => expect(diary.batches).toEqual([['s1-1']]));
  });

  it('gives its bus to whoever unwraps it', async () => {
    const { server } = await start(SignalsConsumer);
    expect(server.unwrap()).toBe(bus);
  });
});
