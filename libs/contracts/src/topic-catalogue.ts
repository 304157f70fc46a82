import { eventCatalogue, type EventType } from './event-catalogue.ts';
import { type Topic, topics } from './topics.ts';

/** What a consumer has to know about a topic. */
export type TopicEntry = {
  readonly meaning: string;
  /** What the record key is: records of one key keep their order. */
  readonly key: 'conversation_key' | 'run_id';
  readonly producers: readonly string[];
  readonly consumers: readonly string[];
  /** The event types that are on it. */
  readonly eventTypes: readonly EventType[];
  /** How long Kafka keeps a record when Latch makes the topic, in days. An operator's own setting stands. */
  readonly retentionDays: number;
};

/** Every topic with its key, its sides, its event types and its retention (DESIGN section 3). `contracts/asyncapi.yaml` is its published form. */
export const topicCatalogue: Readonly<Record<Topic, TopicEntry>> = {
  [topics.turns]: {
    meaning: 'User messages that ingress has accepted.',
    key: 'conversation_key',
    producers: ['ingress'],
    consumers: ['orchestrator'],
    eventTypes: ['IC.GATEWAY_RECEIVED'],
    retentionDays: 7,
  },
  [topics.toolInvocations]: {
    meaning: 'Tool calls that the engine has approved. The record only wakes the executor; what may be called stands in the event store.',
    key: 'conversation_key',
    producers: ['orchestrator'],
    consumers: ['tool-executor'],
    eventTypes: ['IC.TOOL_REQUESTED'],
    retentionDays: 7,
  },
  [topics.toolExecutions]: {
    meaning: 'Ended tool calls, raw.',
    key: 'conversation_key',
    producers: ['tool-executor'],
    consumers: ['result-normalizer'],
    eventTypes: ['IC.TOOL_EXECUTED'],
    retentionDays: 7,
  },
  [topics.toolResults]: {
    meaning: 'The canonical results of tool calls.',
    key: 'conversation_key',
    producers: ['result-normalizer'],
    consumers: ['orchestrator', 'evaluator'],
    eventTypes: ['IC.TOOL_COMPLETED'],
    retentionDays: 7,
  },
  [topics.responses]: {
    meaning: 'The answer to each turn, or why it got none.',
    key: 'conversation_key',
    producers: ['orchestrator'],
    consumers: ['ingress', 'evaluator'],
    eventTypes: ['IC.AGENT_COMPLETED', 'IC.TURN_CONFLICT'],
    retentionDays: 7,
  },
  [topics.signals]: {
    meaning: 'IC, NOC and GRL signals for monitors and people.',
    key: 'conversation_key',
    producers: ['ingress', 'orchestrator', 'tool-executor', 'result-normalizer', 'evaluator'],
    consumers: ['ingress', 'console', 'NOC consumers'],
    eventTypes: signalTypes(),
    retentionDays: 14,
  },
  [topics.evaluations]: {
    meaning: 'What the judges say of finished turns.',
    key: 'run_id',
    producers: ['evaluator'],
    consumers: ['anyone'],
    eventTypes: ['IC.EVALUATION_COMPLETED'],
    retentionDays: 30,
  },
  [topics.deadLetters]: {
    meaning: 'Messages that could not be handled, kept whole; and which of them an operator has sent again.',
    key: 'conversation_key',
    producers: ['orchestrator', 'tool-executor', 'result-normalizer', 'evaluator', 'operators'],
    consumers: ['console', 'operators'],
    eventTypes: ['NOC.DEAD_LETTER', 'IC.DEAD_LETTER_REDRIVEN'],
    retentionDays: 30,
  },
};

function signalTypes(): readonly EventType[] {
  const types: readonly EventType[] = Object.keys(eventCatalogue).filter(isEventType);
  return types.filter((type) => eventCatalogue[type].payload === 'signal');
}

function isEventType(type: string): type is EventType {
  return Object.hasOwn(eventCatalogue, type);
}
