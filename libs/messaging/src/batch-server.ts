import { type Topic, topics } from '@latch/contracts';
import { type CustomTransportStrategy, Server } from '@nestjs/microservices';
import { lastValueFrom } from 'rxjs';
import { type Bus, type BatchContext, type Consumption } from './bus.ts';
import { consumeBatch, type ConsumeBatchOptions } from './consume-batch.ts';
import { latchTransport, topicsOf } from './on-topics.ts';
import { type Received } from './parse-record.ts';

/** What the handlers of an application consume with. */
export type BatchServerOptions = Omit<ConsumeBatchOptions, 'topics' | 'handle' | 'groupId'> & {
  /** @default the service's name. With several handlers, each has a group of its own: this, and the topics of the handler. */
  readonly groupId?: string;
};

/**
 * Nest's way onto the bus: `app.connectMicroservice({ strategy: new BatchServer({ bus, service, logger, metrics, onCrash }) })`. Every method marked with
 * `@OnTopics` becomes a consumer. Nest's own Kafka transport hands over single messages, acknowledges them by itself and knows no dead letters.
 */
export class BatchServer extends Server implements CustomTransportStrategy {
  override readonly transportId = latchTransport;
  /** The consumer reports a handler's errors; Nest must not report them twice. */
  override readonly propagatesEventHandlerErrors = true;
  private consumptions: readonly Consumption[] = [];

  constructor(private readonly options: BatchServerOptions) {
    super();
  }

  /** Starts one consumer per handler; calls back with the error when one cannot start, and then none runs. */
  listen(callback: (error?: unknown) => void): void {
    this.startAll().then(
      () => callback(),
      (error: unknown) => callback(error),
    );
  }

  /** Hands over no further batches until `resume`: for a service whose workers are all busy. */
  pause(): void {
    this.consumptions.forEach((consumption) => consumption.pause());
  }

  resume(): void {
    this.consumptions.forEach((consumption) => consumption.resume());
  }

  /** Lets the batches in flight finish and leaves the groups. The bus stays open: it belongs to whoever made it. */
  async close(): Promise<void> {
    await Promise.all(this.consumptions.map((consumption) => consumption.stop()));
    this.consumptions = [];
  }

  on(): never {
    throw new Error('BatchServer emits no events: a crash is told through `onCrash`.');
  }

  override unwrap<T>(): T;
  override unwrap(): Bus {
    return this.options.bus;
  }

  private async startAll(): Promise<void> {
    const started = await Promise.allSettled([...this.messageHandlers.keys()].map((pattern) => this.start(pattern)));
    const failed = started.find((one) => one.status === 'rejected');
    if (failed === undefined) return;
    await this.close();
    throw failed.reason;
  }

  private async start(pattern: string): Promise<void> {
    const wanted = topicsOf(pattern).map(topicNamed);
    const { service, groupId = service } = this.options;
    const isAlone = this.messageHandlers.size === 1;
    const consumption = await consumeBatch({
      ...this.options,
      groupId: isAlone ? groupId : `${groupId}.${wanted.join('+')}`,
      topics: wanted,
      handle: (batch, context) => this.handle(pattern, batch, context),
    });
    this.consumptions = [...this.consumptions, consumption];
  }

  /** Nest hands a handler's error over as the error of an Observable. */
  private async handle(pattern: string, batch: readonly Received[], context: BatchContext): Promise<void> {
    const handler = this.messageHandlers.get(pattern);
    if (handler === undefined) throw new Error(`No handler for ${pattern}.`);
    const result: unknown = await handler(batch, context);
    await lastValueFrom(this.transformToObservable(result), { defaultValue: undefined });
  }
}

function topicNamed(name: string): Topic {
  const topic = Object.values(topics).find((one) => one === name);
  if (topic === undefined) throw new Error(`"${name}" is not a topic of the platform.`);
  return topic;
}
