import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Environment } from '@latch/config';
import { kafkaRights, type Topic, topics } from '@latch/contracts';
import { KafkaBus } from '@latch/messaging';
import { createLogger } from '@latch/observability';
import { eventually, freshTopicPrefix } from '@latch/testing';
import { makeAuthority } from '../../../../deploy/local/certificates.mjs';
import { freePort } from '../../../../deploy/local/processes.mjs';
import { describeSecuredConversations } from './secured-conversations.features.ts';
import { busIn, type SecuredKafka, startSecuredKafka } from './secured-kafka.features.ts';

jest.setTimeout(60_000);

let kafka: SecuredKafka;
const topicPrefix = freshTopicPrefix();
const logger = createLogger({ service: 'spec', level: 'silent' });
const open: KafkaBus[] = [];

beforeAll(async () => {
  kafka = await startSecuredKafka();
});
afterAll(async () => {
  await Promise.all(open.map((bus) => bus.close()));
  await kafka.stop();
});

function busAs(environment: Environment): KafkaBus {
  const bus = busIn(environment, { topicPrefix, logger });
  open.push(bus);
  return bus;
}

/** What a client hears that wants to see the topics. */
async function answerTo(environment: Environment): Promise<string> {
  return heardOver(busAs(environment));
}

async function heardOver(bus: KafkaBus): Promise<string> {
  return bus.ensureTopics().then(
    () => 'welcome',
    (error: unknown) => String(error),
  );
}

/** kafkajs takes a side that is not trusted for one that is away, and tries for five seconds: all of them at the same time. */
async function answersToStrangers(): Promise<Readonly<Record<string, string>>> {
  const authorityFile = path.join(kafka.folder, 'exchanged.pem');
  copyFileSync(makeAuthority(path.join(kafka.folder, 'stranger')).certFile, authorityFile);
  const exchanging = busAs({ ...prepare(), KAFKA_SSL_CA_FILE: authorityFile });
  const port = await elsewhere();
  const [noCertificate, noTls, authority, name] = await Promise.all([
    answerTo({
      ...{ KAFKA_BROKERS: kafka.mutualBrokers, KAFKA_SSL: 'on', KAFKA_SSL_CA_FILE: kafka.authority.certFile },
    }),
    answerTo({ KAFKA_BROKERS: kafka.brokers }),
    heardOver(exchanging),
    answerTo({ ...prepare(), KAFKA_BROKERS: `127.0.0.1:${port}` }),
  ]);
  copyFileSync(kafka.authority.certFile, authorityFile);
  return { noCertificate, noTls, authority, name, exchanged: await heardOver(exchanging) };
}

/** Somebody with a certificate of the right authority, for another name. @returns its port. */
async function elsewhere(): Promise<number> {
  const other = kafka.authority.issue({ file: 'elsewhere', subject: '/CN=x', names: ['DNS:elsewhere.example'] });
  const server = createServer({ cert: readFileSync(other.certFile), key: readFileSync(other.keyFile) });
  server.on('tlsClientError', () => undefined).unref();
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return port;
}

const message = (topic: Topic) => ({ topic, key: 'k', eventId: 'e', value: '{}', headers: {} });
const rightsOf = (name: string) => kafkaRights().filter(({ principal }) => principal === name);
const prepare = (): Record<string, string> => kafka.environmentOf('prepare');

describe('a client that Kafka does not know', () => {
  it.each(['scram-sha-512', 'scram-sha-256', 'plain'])('hears so, and who it is (%s)', async (mechanism) => {
    const { KAFKA_SASL_PASSWORD_FILE: _right, ...rest } = prepare();
    const wrong = { ...rest, KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_PASSWORD: 'wrong' };
    const answer = await answerTo(wrong);
    expect(answer).toContain(`Kafka at ${kafka.brokers} does not let User:latch-prepare in`);
    expect(answer).toContain('Check KAFKA_SASL_MECHANISM');
    expect(answer).not.toContain('wrong');
  });
});

describe('a client and a Kafka that do not trust each other', () => {
  it('do not talk, and the client hears why; it trusts as soon as the file of the authority is exchanged', async () => {
    expect(await answersToStrangers()).toEqual({
      noCertificate: expect.stringContaining('refuses our certificate, or wants one'),
      noTls: expect.stringContaining('Does it want TLS (KAFKA_SSL) or a login (KAFKA_SASL_MECHANISM)?'),
      authority: expect.stringContaining('no known authority has signed. Name the authority in KAFKA_SSL_CA_FILE.'),
      name: expect.stringContaining('for another name'),
      // The file of the authority was exchanged meanwhile: now it is let in, and has no right yet.
      exchanged: expect.stringContaining('it lacks the right'),
    });
  });
});

describe('a client without rights', () => {
  it('hears who lacks what on which topics, and who makes them', async () => {
    const answer = await answerTo(kafka.environmentOf('ingress'));
    expect(answer).toContain('refuses User:latch-ingress: it lacks the right Create on one or more of the topics');
    expect(answer).toContain(topicPrefix + topics.turns);
    expect(answer).toContain('latch prepare');
  });

  it('is known by its certificate too', async () => {
    const own = kafka.authority.issue({ file: 'own', subject: '/O=Latch/CN=ingress' });
    const environment = {
      ...{ KAFKA_BROKERS: kafka.mutualBrokers, KAFKA_SSL: 'on', KAFKA_SSL_CA_FILE: kafka.authority.certFile },
      ...{ KAFKA_SSL_CERT_FILE: own.certFile, KAFKA_SSL_KEY_FILE: own.keyFile },
    };
    expect(await answerTo(environment)).toContain('refuses User:CN=ingress,O=Latch');
    const principal = 'User:CN=ingress,O=Latch';
    await kafka.grant(
      rightsOf('prepare').map((right) => ({ ...right, principal })),
      topicPrefix,
    );
    await eventually(async () => expect(await answerTo(environment)).toBe('welcome'), { timeoutMs: 20_000 });
  });
});

describe('a password that is exchanged', () => {
  it('is read again at the next login', async () => {
    await kafka.grant(rightsOf('prepare'), topicPrefix);
    const file = path.join(kafka.folder, 'exchanged');
    writeFileSync(file, 'not yet');
    const bus = busAs({ ...prepare(), KAFKA_SASL_PASSWORD_FILE: file });
    await expect(bus.ensureTopics()).rejects.toThrow('does not let User:latch-prepare in');
    writeFileSync(file, readFileSync(prepare()['KAFKA_SASL_PASSWORD_FILE'] ?? ''));
    await expect(bus.ensureTopics()).resolves.toBeUndefined();
  });
});

describe('a client that may not read', () => {
  it('hears it at its start: which topic, and which group', async () => {
    await kafka.grant(
      rightsOf('console').filter(({ operations }) => operations.includes('Describe')),
      topicPrefix,
    );
    const heard = (): Promise<string> =>
      new Promise((resolve) => {
        const bus = busAs(kafka.environmentOf('console'));
        const crashed = (error: unknown): void => resolve(String(error));
        const handle = (): Promise<void> => Promise.resolve();
        bus.consume({ groupId: 'console-1', topics: [topics.signals], handle, onCrash: crashed }).catch(crashed);
      });
    expect(await heard()).toContain(
      `User:latch-console who coordinates the consumer group ${topicPrefix}console-1: it lacks the right Read`,
    );
    await kafka.grant(
      rightsOf('console').filter(({ resource }) => resource === 'group'),
      topicPrefix,
    );
    await eventually(
      async () =>
        expect(await heard()).toContain(`it lacks the right Read on the topic ${topicPrefix}latch.signals.v1`),
      { timeoutMs: 20_000 },
    );
  });
});

describe('each service', () => {
  const everyTopic = Object.values(topics);
  const services = [...new Set(kafkaRights().map(({ principal }) => principal))].filter((name) => name !== 'prepare');

  it.each(services)('%s may write its own topics, and no other', async (name) => {
    await kafka.grant(rightsOf(name), topicPrefix);
    const bus = busAs(kafka.environmentOf(name));
    const own = rightsOf(name).flatMap(({ operations, names }) => (operations.includes('Write') ? names : []));
    await eventually(() => bus.publish(everyTopic.filter((topic) => own.includes(topic)).map(message)), {
      timeoutMs: 20_000,
    });
    for (const topic of everyTopic.filter((one) => !own.includes(one))) {
      const refused = `User:latch-${name}: it lacks the right Write on the topic ${topicPrefix}${topic}`;
      const nowhere = 'it lacks the right Write on the cluster';
      await expect(bus.publish([message(topic)])).rejects.toThrow(own.length > 0 ? refused : nowhere);
    }
  });
});

// In a block of its own, so that the services stop before Kafka does.
describe('the whole system', () => describeSecuredConversations(() => kafka));
