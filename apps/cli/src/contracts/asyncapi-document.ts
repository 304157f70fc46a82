import { commonSettings } from '@latch/config';
import { eventCatalogue, type EventType, jsonSchemaOf, platformVersion, publishedContracts, topicCatalogue, type TopicEntry } from '@latch/contracts';
import { type Schema } from './schema-narrowings.ts';

const dayMs = 86_400_000;
const bindingVersion = '0.5.0';

/**
 * The AsyncAPI 3 description of the topics: one channel a topic with its Kafka settings, one message an event type with its payload's contract, its key and its
 * CloudEvents headers, and one operation for each service and side.
 */
export function asyncApiDocument(): Schema {
  return {
    asyncapi: '3.0.0',
    id: 'urn:latch:events',
    info: {
      title: 'Latch events',
      version: platformVersion,
      description:
        'Every message is an EventEnvelope as JSON in UTF-8. Its headers are CloudEvents 1.0 in binary mode and W3C trace context. The record key keeps the order of one conversation. Delivery is at least once: consumers are idempotent by `event_id`.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    servers: {
      local: { host: '127.0.0.1:9092', protocol: 'kafka', description: 'The Kafka of a local installation.' },
    },
    channels: Object.fromEntries(entries().map(([topic, entry]) => [nameOf(topic), channelOf(topic, entry)])),
    operations: Object.fromEntries(entries().flatMap(([topic, entry]) => operationsOf(topic, entry))),
    components: {
      messages: Object.fromEntries(entries().flatMap(([, entry]) => entry.eventTypes.map((type) => [type, messageOf(type, entry)]))),
      messageTraits: { onTheBus: onTheBus() },
      schemas: componentSchemas(),
    },
  };
}

function entries(): readonly (readonly [string, TopicEntry])[] {
  return Object.entries(topicCatalogue);
}

/** `latch.tool-results.v1` is the channel `tool-results`. */
function nameOf(topic: string): string {
  return topic.split('.')[1] ?? topic;
}

function channelOf(topic: string, entry: TopicEntry): Schema {
  return {
    address: topic,
    title: nameOf(topic),
    description: `${entry.meaning} The topic's name gets the prefix LATCH_TOPIC_PREFIX where one is set.`,
    messages: Object.fromEntries(entry.eventTypes.map((type) => [type, { $ref: `#/components/messages/${type}` }])),
    bindings: {
      kafka: {
        topic,
        partitions: commonSettings.shape.LATCH_TOPIC_PARTITIONS.parse(undefined),
        topicConfiguration: { 'cleanup.policy': ['delete'], 'retention.ms': entry.retentionDays * dayMs },
        bindingVersion,
      },
    },
  };
}

function operationsOf(topic: string, entry: TopicEntry): readonly (readonly [string, Schema])[] {
  const channel = { $ref: `#/channels/${nameOf(topic)}` };
  const side = (services: readonly string[], action: 'send' | 'receive'): readonly (readonly [string, Schema])[] =>
    services.map((service) => {
      const group = action === 'receive' ? { bindings: { kafka: { groupId: { type: 'string', enum: [service] }, bindingVersion } } } : {};
      const id = `${service.replaceAll(' ', '-')}-${action}s-${nameOf(topic)}`;
      return [id, { action, channel, summary: `${service} ${action}s ${nameOf(topic)}.`, ...(isService(service) ? group : {}) }];
    });
  return [...side(entry.producers, 'send'), ...side(entry.consumers, 'receive')];
}

/** Whether the side is one of our services, whose consumer group has its name. */
function isService(side: string): boolean {
  return /^[a-z-]+$/.test(side) && side !== 'anyone' && side !== 'operators';
}

function messageOf(type: EventType, entry: TopicEntry): Schema {
  const { meaning, payload, severity } = eventCatalogue[type];
  const contract = publishedContracts.find(({ version }) => version === payload);
  return {
    name: type,
    title: type,
    summary: meaning,
    description: `Severity ${severity}. ${contract ? `The payload is ${contract.title} (\`${contract.version}\`).` : 'The payload holds free facts.'}`,
    traits: [{ $ref: '#/components/messageTraits/onTheBus' }],
    bindings: { kafka: { key: { type: 'string', description: `The \`${entry.key}\`.` }, bindingVersion } },
    payload: {
      allOf: [
        { $ref: '#/components/schemas/EventEnvelope' },
        {
          type: 'object',
          properties: {
            event_type: { const: type },
            ...(contract ? { payload: { $ref: `#/components/schemas/${contract.title}` } } : {}),
          },
        },
      ],
    },
  };
}

function onTheBus(): Schema {
  const text = (description: string, more: Schema = {}): Schema => ({ type: 'string', description, ...more });
  return {
    contentType: 'application/json',
    headers: {
      type: 'object',
      description: 'CloudEvents 1.0 in binary mode, and W3C trace context.',
      required: ['content-type', 'ce_specversion', 'ce_id', 'ce_type', 'ce_source', 'ce_time', 'ce_partitionkey'],
      properties: {
        'content-type': text('Media type of the value.', { const: 'application/json' }),
        ce_specversion: text('CloudEvents version.', { const: '1.0' }),
        ce_id: text('The `event_id`.'),
        ce_type: text('The `event_type`.'),
        ce_source: text('`/latch/<producer>`.'),
        ce_time: text('The `timestamp`.', { format: 'date-time' }),
        ce_partitionkey: text('The `conversation_key`.'),
        traceparent: text('W3C trace context of the turn.', { pattern: '^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}' }),
      },
    },
    correlationId: { description: 'The trace that the message belongs to.', location: '$message.payload#/trace_id' },
  };
}

/** The contracts that messages refer to. */
function componentSchemas(): Schema {
  const used = new Set<string>(['event-envelope-v1', ...Object.values(eventCatalogue).map(({ payload }) => payload)]);
  const contracts = publishedContracts.filter(({ version }) => used.has(version));
  return Object.fromEntries(contracts.map(({ title, schema }) => [title, jsonSchemaOf(schema)]));
}
