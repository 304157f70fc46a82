import { describe, expect, it } from '@jest/globals';
import { isUnsure, kafkaRefusal, KafkaRefused } from './kafka-refusal.ts';

const security = { principal: () => 'User:latch-orchestrator' };
const place = { brokers: ['kafka.bank:9093'], security };
const asked = { right: 'Write', topics: ['latch.responses.v1'], group: 'orchestrator' } as const;

/** An error as kafkajs makes it, in the wrappings in which it comes. */
function kafkaError(about: { readonly type?: string; readonly code?: string; readonly name?: string }): Error {
  const inner = Object.assign(new Error('what kafkajs says'), about);
  return new Error('crashed', { cause: Object.assign(new Error('several'), { errors: [inner] }) });
}

describe('why Kafka refuses', () => {
  it.each([
    ['TOPIC_AUTHORIZATION_FAILED', 'User:latch-orchestrator: it lacks the right Write on the topic latch.responses.v1'],
    ['GROUP_AUTHORIZATION_FAILED', 'it lacks the right Read on the consumer group orchestrator'],
    ['CLUSTER_AUTHORIZATION_FAILED', 'it lacks the right Write on the cluster'],
  ])('is told for %s', (type, sentence) => {
    expect(kafkaRefusal(kafkaError({ type }), place, asked)).toContain(sentence);
  });

  it.each([
    ['CERT_HAS_EXPIRED', 'whose time is over'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'KAFKA_SSL_CA_FILE'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'for another name'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'KAFKA_SSL_CERT_FILE'],
    ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN', 'KAFKA_SSL_CERT_FILE'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'does not speak TLS on that port'],
  ])('is told for %s', (code, sentence) => {
    expect(kafkaRefusal(kafkaError({ code }), place, asked)).toContain(sentence);
  });

  it('is told of all topics where Kafka does not say which one', () => {
    const both = { right: 'Read', topics: ['a', 'b'] } as const;
    expect(kafkaRefusal(kafkaError({ type: 'TOPIC_AUTHORIZATION_FAILED' }), place, both)).toContain(
      'Read on one or more of the topics a, b',
    );
  });

  it('may pass where kafkajs does not say why it found no coordinator, and else does not', () => {
    const unsure = kafkaError({ name: 'KafkaJSGroupCoordinatorNotFound' });
    expect(kafkaRefusal(unsure, place, asked)).toContain('lacks the right Read on the group, or no broker answers');
    expect([isUnsure(unsure), isUnsure(kafkaError({ type: 'TOPIC_AUTHORIZATION_FAILED' }))]).toEqual([true, false]);
  });

  it('is told once: who has the sentence already hands it on', () => {
    const told = new KafkaRefused('as it was said', { cause: kafkaError({ type: 'TOPIC_AUTHORIZATION_FAILED' }) });
    expect(kafkaRefusal(new Error('around', { cause: told }), place, asked)).toBe('as it was said');
  });

  it('is told also when nobody knows who we are', () => {
    const unknown = {
      principal: () => {
        throw new Error('no file');
      },
    };
    const error = kafkaError({ name: 'KafkaJSSASLAuthenticationError' });
    expect(kafkaRefusal(error, { ...place, security: unknown }, asked)).toContain('does not let this process in');
  });

  it('is nothing that a broker says that is away', () => {
    expect(kafkaRefusal(kafkaError({ code: 'ECONNREFUSED' }), place, asked)).toBeUndefined();
    expect(kafkaRefusal('no error at all', place, asked)).toBeUndefined();
  });
});
