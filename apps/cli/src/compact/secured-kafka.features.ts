import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { commonSettings, type Environment, kafkaSecurityOf, readEnvironmentOrThrow } from '@latch/config';
import { type KafkaRight, kafkaRights } from '@latch/contracts';
import { KafkaBus } from '@latch/messaging';
import { type Logger } from '@latch/observability';
import kafkajs, { type AclEntry, type Admin } from 'kafkajs';
import { type Authority } from '../../../../deploy/local/certificates.mjs';
import { administrator, secureKafka } from '../../../../deploy/local/kafka-security.mjs';
import { startKafka } from '../../../../deploy/local/kafka.mjs';
import { freePort } from '../../../../deploy/local/processes.mjs';

const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, Kafka, logLevel, ResourcePatternTypes } = kafkajs;

const operationTypes = {
  Read: AclOperationTypes.READ,
  Write: AclOperationTypes.WRITE,
  Describe: AclOperationTypes.DESCRIBE,
  Create: AclOperationTypes.CREATE,
  Alter: AclOperationTypes.ALTER,
  Delete: AclOperationTypes.DELETE,
} as const;

/** A login must be renewed after this time; a client of kafkajs does so ten seconds before. */
export const reauthenticateMs = 15_000;

/** A real Kafka that allows nothing by itself, with a user `latch-<name>` for each that `kafkaRights` names. */
export type SecuredKafka = {
  /** With a login over TLS. */
  readonly brokers: string;
  /** With a client's certificate. */
  readonly mutualBrokers: string;
  readonly authority: Authority;
  /** A folder for files of clients. */
  readonly folder: string;
  /** All passwords. */
  readonly secrets: readonly string[];
  /** What a client of that name finds in its environment. */
  environmentOf(name: string): Record<string, string>;
  grant(rights: readonly KafkaRight[], topicPrefix: string): Promise<void>;
  revoke(rights: readonly KafkaRight[], topicPrefix: string): Promise<void>;
  stop(): Promise<void>;
};

const names = [...new Set(kafkaRights().map(({ principal }) => principal))];
const secretOf = (user: string): string => `secret-of-${user}`;

/** Starts the broker and makes its users. */
export async function startSecuredKafka(): Promise<SecuredKafka> {
  const folder = mkdtempSync(path.join(tmpdir(), 'latch-secured-'));
  const [port, controllerPort, mutualPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const users = [administrator, ...names.map((name) => `latch-${name}`)];
  const { authority, security } = secureKafka({
    ...{ folder: path.join(folder, 'certificates'), mutualPort, reauthenticateMs },
    users: Object.fromEntries(users.map((user) => [user, secretOf(user)])),
  });
  const kafka = await startKafka({ folder, port, controllerPort, heapMb: 384, security });
  const admin = administratorOf(kafka.brokers, authority);
  await admin.connect();
  return {
    ...{ brokers: kafka.brokers, mutualBrokers: `127.0.0.1:${mutualPort}`, authority, folder },
    secrets: users.map(secretOf),
    environmentOf: (name) => environmentOf(name, { brokers: kafka.brokers, authority, folder }),
    grant: async (rights, topicPrefix) => {
      await admin.createAcls({ acl: rights.flatMap((right) => entriesOf(right, topicPrefix)) });
    },
    revoke: async (rights, topicPrefix) => {
      await admin.deleteAcls({ filters: rights.flatMap((right) => entriesOf(right, topicPrefix)) });
    },
    stop: async () => {
      await admin.disconnect();
      await kafka.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function environmentOf(
  name: string,
  { brokers, authority, folder }: Pick<SecuredKafka, 'brokers' | 'authority' | 'folder'>,
): Record<string, string> {
  const passwordFile = path.join(folder, `${name}.password`);
  writeFileSync(passwordFile, `${secretOf(`latch-${name}`)}\n`);
  return {
    KAFKA_BROKERS: brokers,
    KAFKA_SSL: 'on',
    KAFKA_SSL_CA_FILE: authority.certFile,
    KAFKA_SASL_MECHANISM: 'scram-sha-512',
    KAFKA_SASL_USERNAME: `latch-${name}`,
    KAFKA_SASL_PASSWORD_FILE: passwordFile,
  };
}

/** Opens a bus as an environment says. Nothing is asked of Kafka yet. */
export function busIn(environment: Environment, { topicPrefix, logger }: BusOptions): KafkaBus {
  const settings = readEnvironmentOrThrow(commonSettings, environment);
  const [brokers, security] = [settings.KAFKA_BROKERS, kafkaSecurityOf(settings)];
  return new KafkaBus({ brokers, security, clientId: 'spec', topicPrefix, partitions: 2, logger });
}

type BusOptions = { readonly topicPrefix: string; readonly logger: Logger };

function administratorOf(brokers: string, authority: Authority): Admin {
  return new Kafka({
    brokers: [brokers],
    logLevel: logLevel.NOTHING,
    ssl: { ca: readFileSync(authority.certFile, 'utf8') },
    sasl: { mechanism: 'scram-sha-512', username: administrator, password: secretOf(administrator) },
  }).admin();
}

function entriesOf({ principal, operations, resource, names: on, pattern }: KafkaRight, prefix: string): AclEntry[] {
  return operations.flatMap((operation) =>
    on.map((name) => ({
      principal: principal.includes(':') ? principal : `User:latch-${principal}`,
      host: '*',
      operation: operationTypes[operation],
      permissionType: AclPermissionTypes.ALLOW,
      resourceType: resource === 'topic' ? AclResourceTypes.TOPIC : AclResourceTypes.GROUP,
      resourceName: prefix + name,
      resourcePatternType: pattern === 'literal' ? ResourcePatternTypes.LITERAL : ResourcePatternTypes.PREFIXED,
    })),
  );
}
