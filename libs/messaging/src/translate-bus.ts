import { type BusMessage } from '@latch/contracts';
import { type Bus, type BusRecord } from './bus.ts';

/** What becomes of a message on its way out, and of a record on its way in. */
type Translation = {
  readonly outgoing: (message: BusMessage) => BusMessage;
  readonly incoming: (record: BusRecord) => BusRecord;
};

/** A bus through which each message and each record is translated, one by one; all else is the bus's own. */
export function translateBus(bus: Bus, { outgoing, incoming }: Translation): Bus {
  return {
    publish: (messages) => bus.publish(messages.map(outgoing)),
    consume: (options) =>
      bus.consume({ ...options, handle: (batch, context) => options.handle(batch.map(incoming), context) }),
    ensureTopics: () => bus.ensureTopics(),
    isHealthy: () => bus.isHealthy(),
    trouble: () => bus.trouble?.(),
    close: () => bus.close(),
  };
}
