import { entriesIn, kafkaSecuritySettings, wholeNumberSetting, withKafkaSecurityRules } from '@latch/config';
import { z } from 'zod';
import { type PortName } from './system/ports.ts';

/** A part's own port; not set: the base plus the part's offset. */
const OwnPort = z.coerce
  .number({ error: 'it must be a port number.' })
  .int()
  .min(1)
  .max(65_535)
  .optional()
  .describe('Port of this part; default LATCH_PORT_BASE plus its offset.');

/** The variable that sets the port of one part alone. */
export const portVariables = {
  ingress: 'LATCH_PORT_INGRESS',
  orchestrator: 'LATCH_PORT_ORCHESTRATOR',
  'tool-executor': 'LATCH_PORT_TOOL_EXECUTOR',
  'result-normalizer': 'LATCH_PORT_RESULT_NORMALIZER',
  evaluator: 'LATCH_PORT_EVALUATOR',
  console: 'LATCH_PORT_CONSOLE',
  'mcp-telecom': 'LATCH_PORT_MCP_TELECOM',
  'mcp-retail': 'LATCH_PORT_MCP_RETAIL',
  kafka: 'LATCH_PORT_KAFKA',
  'kafka-controller': 'LATCH_PORT_KAFKA_CONTROLLER',
  postgres: 'LATCH_PORT_POSTGRES',
} as const satisfies Record<PortName, string>;

const KafkaBrokers = z
  .string()
  .refine((text) => entriesIn(text).every((broker) => /^[^\s:]+:\d{1,5}$/.test(broker)), {
    error: 'it must name each broker as host:port, separated by commas, such as 127.0.0.1:9092.',
  })
  .optional()
  .describe('Kafka brokers as host:port, separated by commas. Set: these are used, no broker is started.');

/** What the commands of `latch` read from the environment, once. Rules about files hold for those commands that use them: see `kafkaVariables`. */
export const cliSettings = z.object({
  KAFKA_BROKERS: KafkaBrokers,
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\/\S+$/, 'it must start with postgres:// or postgresql://.')
    .optional()
    .describe('Postgres database. Set: it is used, none is started.'),
  MIGRATION_DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\/\S+$/, 'it must start with postgres:// or postgresql://.')
    .optional()
    .describe('The same database under the login that owns the tables: migrations run under it. Default DATABASE_URL.'),
  LATCH_KAFKA: z
    .enum(['auto', 'local', 'docker', 'memory'], { error: 'it must be auto, local, docker or memory.' })
    .default('auto')
    .describe(
      'Which bus to start when KAFKA_BROKERS is not set; default auto: the first of local, docker, memory that works.',
    ),
  LATCH_MODE: z
    .enum(['processes', 'compact'], { error: 'it must be processes or compact.' })
    .default('processes')
    .describe('One process per service, or all services in one (compact); default processes.'),
  LATCH_PORT_BASE: wholeNumberSetting({ default: 9000, min: 1024, max: 65_000 }).describe(
    'First port; ingress listens on it, every other part at a fixed distance. Default 9000.',
  ),
  LATCH_STATE_DIR: z
    .string()
    .default('.latch')
    .describe('Folder for logs, data and the state file, relative to the checkout; default .latch.'),
  LATCH_CONFIG_DIR: z
    .string()
    .default('deploy/config')
    .describe('Folder with agents.yaml, tools.yaml and the rest; default deploy/config.'),
  LATCH_TOPIC_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9._-]{0,100}$/, 'it may hold letters, digits, dot, dash and underscore, at most 100.')
    .default('')
    .describe('Put before every topic and consumer group name; default empty.'),
  LATCH_TOPIC_PARTITIONS: wholeNumberSetting({ default: 4, min: 1, max: 1_000 }).describe(
    'Partitions of a topic that `latch prepare` or `latch start` makes; an existing topic is never shrunk. Default 4.',
  ),
  ...kafkaSecuritySettings.shape,
  [portVariables.ingress]: OwnPort,
  [portVariables.orchestrator]: OwnPort,
  [portVariables['tool-executor']]: OwnPort,
  [portVariables['result-normalizer']]: OwnPort,
  [portVariables.evaluator]: OwnPort,
  [portVariables.console]: OwnPort,
  [portVariables['mcp-telecom']]: OwnPort,
  [portVariables['mcp-retail']]: OwnPort,
  [portVariables.kafka]: OwnPort,
  [portVariables['kafka-controller']]: OwnPort,
  [portVariables.postgres]: OwnPort,
});

/** How Kafka is reached, with the rules between the variables and the files that they name: for a command that is about to speak to Kafka. */
export const kafkaVariables = withKafkaSecurityRules(
  z.object({ KAFKA_BROKERS: KafkaBrokers, ...kafkaSecuritySettings.shape }),
);

/** The settings of `latch`, parsed. */
export type CliSettings = Readonly<z.infer<typeof cliSettings>>;
