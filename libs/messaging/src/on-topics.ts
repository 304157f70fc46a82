import 'reflect-metadata';
import { type Topic } from '@latch/contracts';
import { Ctx, EventPattern, Payload, RpcException } from '@nestjs/microservices';
import { type BatchContext } from './bus.ts';
import { type Received } from './parse-record.ts';

/** Marks handlers that belong to the `BatchServer` and to no other transport of the application. */
export const latchTransport = Symbol('latch.batch');

/** A method that takes batches. */
export type BatchHandler = (batch: readonly Received[], context: BatchContext) => Promise<void>;

/**
 * Marks the method of a controller that handles one or several topics: `@OnTopics(topics.turns, topics.toolResults)`. The method gets one batch over all of
 * them, one at a time, in order per conversation. See `consumeBatch` for what its errors mean.
 */
export function OnTopics(
  ...topics: readonly [Topic, ...Topic[]]
): <H extends BatchHandler>(target: object, name: string | symbol, descriptor: TypedPropertyDescriptor<H>) => void {
  return (target, name, descriptor) => {
    const { value: handle } = descriptor;
    if (handle === undefined) throw new Error('@OnTopics marks a method.');
    const carrying = withErrors(handle);
    for (const key of Reflect.getMetadataKeys(handle)) {
      Reflect.defineMetadata(key, Reflect.getMetadata(key, handle), carrying);
    }
    Reflect.set(descriptor, 'value', carrying);
    Payload()(target, name, 0);
    Ctx()(target, name, 1);
    EventPattern<string>(topics.join(separator), latchTransport)(target, name, descriptor);
  };
}

const separator = ',';

/** The topics of a handler's pattern. */
export function topicsOf(pattern: string): readonly string[] {
  return pattern.split(separator);
}

/** Nest replaces every error but an RpcException by "Internal server error"; the consumer must see which kind it was. */
function withErrors(handle: BatchHandler): BatchHandler {
  return async function carrying(this: unknown, batch, context) {
    try {
      await handle.call(this, batch, context);
    } catch (error) {
      throw new RpcException(error instanceof Error ? error : new Error(String(error)));
    }
  };
}
