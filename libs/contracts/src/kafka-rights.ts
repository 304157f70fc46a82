import { topicCatalogue, type TopicEntry } from './topic-catalogue.ts';
import { type Topic, topics } from './topics.ts';

/** One line of an access list of Kafka: who may do what on what. */
export type KafkaRight = {
  /** A service by its name; `operators`: the commands for dead letters and replays; `prepare`: `latch prepare`, which makes the topics. */
  readonly principal: string;
  readonly operations: readonly ('Read' | 'Write' | 'Describe' | 'Create' | 'Alter' | 'Delete')[];
  readonly resource: 'topic' | 'group';
  /** Without the deployment's prefix. */
  readonly names: readonly string[];
  /** `prefixed`: on all whose name begins so. */
  readonly pattern: 'literal' | 'prefixed';
};

/** The services that share their messages among their instances: their group has their name, and they keep dead letters. */
const sharing = ['orchestrator', 'tool-executor', 'result-normalizer', 'evaluator'] as const;
/** The services of which each instance reads all: in a group of its own, whose name begins with theirs. */
const following = ['ingress', 'console'] as const;

/**
 * What each service and each kind of command must be allowed on a Kafka that allows nothing by itself, out of `topicCatalogue`: nothing more is needed. All see
 * that the topics are there; each reads and writes its own.
 */
export function kafkaRights(): readonly KafkaRight[] {
  return [
    ...sharing.flatMap((service) => [...topicRights(service), groupRight(service, service, 'literal')]),
    ...following.flatMap((service) => [...topicRights(service), groupRight(service, `${service}-`, 'prefixed')]),
    ...operatorRights(),
    onTopics('prepare', ['Create', 'Describe', 'Alter'], everyTopic),
  ];
}

const entries: readonly (readonly [Topic, TopicEntry])[] = Object.values(topics).map((topic) => [
  topic,
  topicCatalogue[topic],
]);
const everyTopic = entries.map(([topic]) => topic);

function topicRights(service: string): readonly KafkaRight[] {
  const reads = entries.filter(([, { consumers }]) => consumers.includes(service)).map(([topic]) => topic);
  const writes = entries.filter(([, { producers }]) => producers.includes(service)).map(([topic]) => topic);
  return [
    onTopics(service, ['Describe'], everyTopic),
    onTopics(service, ['Read'], reads),
    ...(writes.length === 0 ? [] : [onTopics(service, ['Write'], writes)]),
  ];
}

/** A message whose letter is sent again goes back to where a service that keeps letters reads it. What a replay publishes again goes there too. */
function operatorRights(): readonly KafkaRight[] {
  const who = 'operators';
  const keepsLetters = (name: string): boolean => sharing.some((service) => service === name);
  const backTo = entries.filter(([, { consumers }]) => consumers.some(keepsLetters)).map(([topic]) => topic);
  return [
    onTopics(who, ['Describe'], everyTopic),
    onTopics(who, ['Read'], [topics.deadLetters]),
    onTopics(who, ['Write'], [...backTo, topics.deadLetters]),
    { ...groupRight(who, 'reader-', 'prefixed'), operations: ['Read', 'Delete'] },
  ];
}

function onTopics(principal: string, operations: KafkaRight['operations'], names: readonly Topic[]): KafkaRight {
  return { principal, operations, resource: 'topic', names, pattern: 'literal' };
}

function groupRight(principal: string, name: string, pattern: KafkaRight['pattern']): KafkaRight {
  return { principal, operations: ['Read'], resource: 'group', names: [name], pattern };
}
