import path from 'node:path';
import { entriesIn, type KafkaSecurity } from '@latch/config';
import { inCheckout } from '../checkout.ts';
import { type CliSettings, portVariables } from '../config.ts';
import { checkedKafkaSecurity } from './checked-kafka-security.ts';
import { portNames, type Ports, portsFrom } from './ports.ts';

/** How to start the local system. */
export type SystemOptions = {
  /** Folder of the state file, the logs, and the data of the local Kafka and Postgres. */
  readonly stateFolder: string;
  readonly ports: Ports;
  /** Named brokers; empty: one is started. */
  readonly brokers: readonly string[];
  /** How the named brokers are spoken to; undefined: neither TLS nor a login. One that is started has none. */
  readonly kafkaSecurity?: KafkaSecurity | undefined;
  /** The bus to start when no brokers are named. */
  readonly kafka: 'auto' | 'local' | 'docker' | 'memory';
  /** A database that is there already; undefined: one is started. */
  readonly databaseUrl: string | undefined;
  /** The login that migrates; undefined: that of the database. */
  readonly migrationUrl?: string | undefined;
  readonly mode: 'processes' | 'compact';
  readonly configFolder: string;
  readonly topicPrefix: string;
  /** Of a topic that is made. @default 4 */
  readonly topicPartitions?: number;
  /** Gets one line per step, and per crash and restart later. */
  readonly onProgress: (line: string) => void;
};

/** The options that the environment asks for. */
export function systemOptionsFrom(settings: CliSettings, onProgress: (line: string) => void): SystemOptions {
  return {
    stateFolder: inCheckout(settings.LATCH_STATE_DIR),
    ports: portsFrom(settings.LATCH_PORT_BASE, ownPortsIn(settings)),
    brokers: entriesIn(settings.KAFKA_BROKERS ?? ''),
    kafka: settings.LATCH_KAFKA,
    databaseUrl: settings.DATABASE_URL,
    migrationUrl: settings.MIGRATION_DATABASE_URL,
    mode: settings.LATCH_MODE,
    configFolder: inCheckout(settings.LATCH_CONFIG_DIR),
    topicPrefix: settings.LATCH_TOPIC_PREFIX,
    topicPartitions: settings.LATCH_TOPIC_PARTITIONS,
    onProgress,
  };
}

/** The same for a command that starts or prepares it. @throws Error when Kafka cannot be spoken to as the environment says. */
export function startOptionsFrom(settings: CliSettings, onProgress: (line: string) => void): SystemOptions {
  return { ...systemOptionsFrom(settings, onProgress), kafkaSecurity: checkedKafkaSecurity(settings) };
}

/** The ports that are set part by part. */
export function ownPortsIn(settings: CliSettings): Partial<Ports> {
  return Object.fromEntries(portNames.map((name) => [name, settings[portVariables[name]]]));
}

/** Where the services of a system write their logs. */
export function logFolderOf(options: Pick<SystemOptions, 'stateFolder'>): string {
  return path.join(options.stateFolder, 'logs');
}
