/**
 * The Kafka topics of the platform (DESIGN section 3). The key is always the conversation key, so that one conversation keeps
 * its order; only `evaluations` is keyed by run.
 */
export const topics = {
  turns: 'latch.turns.v1',
  toolInvocations: 'latch.tool-invocations.v1',
  toolExecutions: 'latch.tool-executions.v1',
  toolResults: 'latch.tool-results.v1',
  responses: 'latch.responses.v1',
  signals: 'latch.signals.v1',
  evaluations: 'latch.evaluations.v1',
  deadLetters: 'latch.dead-letters.v1',
} as const;

/** The name of one of the platform's topics, without a deployment's prefix. */
export type Topic = (typeof topics)[keyof typeof topics];

/** One message ready for the bus: serialized once, with its key and headers. */
export type BusMessage = {
  readonly topic: Topic;
  readonly key: string;
  readonly eventId: string;
  /** The EventEnvelope as JSON text. */
  readonly value: string;
  /** CloudEvents attributes (`ce_*`), `traceparent`, `content-type`. */
  readonly headers: Readonly<Record<string, string>>;
};
