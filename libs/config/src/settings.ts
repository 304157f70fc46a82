import { z } from 'zod';
import { entriesIn } from './entries-in.ts';
import { kafkaSecuritySettings, withKafkaSecurityRules } from './kafka-security-settings.ts';
import { keyRingSetting } from './key-ring-setting.ts';
import { personalDataSettings } from './personal-data-settings.ts';

/** A TCP port with a default; 0 lets the system choose a free one. */
export function portSetting(byDefault: number): z.ZodDefault<z.ZodCoercedNumber> {
  return wholeNumber({ min: 0, max: 65_535 }).default(byDefault);
}

/** A whole number within bounds, with a default. The variable's name says the unit (`LATCH_DRAIN_TIMEOUT_MS`). */
export function wholeNumberSetting(of: {
  readonly default: number;
  readonly min: number;
  readonly max: number;
}): z.ZodDefault<z.ZodCoercedNumber> {
  return wholeNumber(of).default(of.default);
}

/** A comma-separated list; blanks around entries and empty entries are dropped. Not set: an empty list. */
export function listSetting(): z.ZodDefault<z.ZodPipe<z.ZodString, z.ZodTransform<string[], string>>> {
  return z.string().transform(entriesIn).default([]);
}

/** What every process with an HTTP port has: where it listens and how much it logs. Each app adds its own `LATCH_HTTP_PORT`. */
export const serverSettings = z.object({
  LATCH_HTTP_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address that the HTTP server listens on; default 127.0.0.1.'),
  LATCH_LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'it must be one of trace, debug, info, warn, error, fatal, silent.',
    })
    .default('info')
    .describe('The least severe log level that is written; default info.'),
});

/**
 * What every service on the bus has. An app extends it: `commonSettings.extend({ LATCH_HTTP_PORT: portSetting(9001), ... })`; with
 * Postgres also `.extend(databaseSettings.shape)`.
 */
export const commonSettings = withKafkaSecurityRules(
  serverSettings.extend({
    LATCH_BUS: z
      .enum(['kafka', 'memory'], { error: 'it must be kafka or memory.' })
      .default('kafka')
      .describe('The bus: kafka, or memory for trying out in one process; default kafka.'),
    KAFKA_BROKERS: listSetting().describe(
      'Kafka brokers as host:port, separated by commas; needed unless LATCH_BUS=memory.',
    ),
    LATCH_TOPIC_PREFIX: z
      .string()
      .regex(/^[A-Za-z0-9._-]{0,100}$/, 'it may hold letters, digits, dot, dash and underscore, at most 100.')
      .default('')
      .describe(
        'Put before every topic and consumer group name, so that two installations share a cluster; default empty.',
      ),
    LATCH_TOPIC_PARTITIONS: wholeNumberSetting({ default: 4, min: 1, max: 1_000 }).describe(
      'Partitions of a topic that is created; an existing topic is never shrunk. Default 4.',
    ),
    LATCH_BUS_KEY: keyRingSetting().describe(
      'Keys that sign what is published, as id:base64[,id:base64]; the first signs, all verify. 32 bytes each. Not set: nothing is signed or verified.',
    ),
    LATCH_BUS_UNSIGNED: z
      .enum(['refuse', 'accept'], { error: 'it must be refuse or accept.' })
      .default('refuse')
      .describe(
        'With LATCH_BUS_KEY, what becomes of an unsigned message: refuse makes it a dead letter; accept is for the time in which keys are rolled out. Default refuse.',
      ),
    LATCH_CONFIG_DIR: z
      .string()
      .default('deploy/config')
      .describe('Folder with agents.yaml, tools.yaml and the rest; default deploy/config.'),
    ...personalDataSettings.shape,
    ...kafkaSecuritySettings.shape,
  }),
).refine((settings) => settings.LATCH_BUS === 'memory' || hasBrokers(settings.KAFKA_BROKERS), {
  path: ['KAFKA_BROKERS'],
  error: 'it must name at least one broker as host:port (such as 127.0.0.1:9092), or LATCH_BUS must be memory.',
  // A cross rule that waited for the other variables to be right would hide this problem until the next start.
  when: () => true,
});

/** Settings of a service that uses Postgres. */
export const databaseSettings = z.object({
  DATABASE_URL: z
    .string({ error: 'it must be a Postgres URL such as postgres://latch@127.0.0.1:5432/latch.' })
    .regex(/^postgres(ql)?:\/\/\S+$/, 'it must start with postgres:// or postgresql://.')
    .describe('Postgres database that holds the evidence.'),
});

function wholeNumber(of: { readonly min: number; readonly max: number }): z.ZodCoercedNumber {
  const error = `it must be a whole number from ${of.min} to ${of.max}.`;
  return z.coerce.number({ error }).int(error).min(of.min, error).max(of.max, error);
}

function hasBrokers(brokers: unknown): boolean {
  return (
    Array.isArray(brokers) && brokers.length > 0 && brokers.every((broker) => /^[^\s:]+:\d{1,5}$/.test(String(broker)))
  );
}
