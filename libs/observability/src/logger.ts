import { pino } from 'pino';
import { maskFields } from './mask-fields.ts';

/** How much is logged; each level includes the ones before it. */
export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof logLevels)[number];

/** The correlation fields of SPEC-007 that a caller knows; `timestamp`, `level`, `service` and `event` complete the ten. */
export type Correlation = {
  readonly tenant_id?: string | null;
  readonly agent_id?: string | null;
  readonly conversation_key?: string | null;
  readonly message_id?: string | null;
  readonly transaction_id?: string | null;
  readonly trace_id?: string | null;
};

/** What a log line may carry beside its event: correlation, `error` (an Error keeps its stack and cause), `message`, and any facts. */
export type LogFields = Correlation & {
  readonly error?: unknown;
  readonly message?: string;
  readonly [fact: string]: unknown;
};

/**
 * One line, one event: `logger.warn('relay.publish_failed', { error, pending: 3 })`. `event` is a stable dotted name, never a sentence.
 * Every line is one JSON object with the ten correlation fields of SPEC-007 (null where unknown), masked before it leaves the process.
 */
export type Logger = {
  trace(event: string, fields?: LogFields): void;
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  fatal(event: string, fields?: LogFields): void;
  /** A logger whose lines all carry these fields. */
  child(fields: LogFields): Logger;
};

type Options = {
  readonly service: string;
  /** @default 'info' */
  readonly level?: LogLevel;
  /** Where the lines go. @default standard output, written synchronously, so that the last line before an exit is there. */
  readonly destination?: { write(line: string): void };
};

/** Creates the logger of one service. */
export function createLogger({ service, level = 'info', destination }: Options): Logger {
  const lines = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: () => `,"timestamp":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination ?? pino.destination({ dest: 1, sync: true }),
  );
  return loggerOver({ lines, service }, {});
}

type Source = {
  readonly lines: Pick<pino.Logger, 'isLevelEnabled' | Exclude<LogLevel, 'silent'>>;
  readonly service: string;
};

function loggerOver(source: Source, bound: LogFields): Logger {
  const at =
    (level: Exclude<LogLevel, 'silent'>) =>
    (event: string, fields: LogFields = {}): void => {
      if (!source.lines.isLevelEnabled(level)) return;
      source.lines[level](lineOf({ service: source.service, event }, { ...bound, ...fields }));
    };
  return {
    trace: at('trace'),
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    fatal: at('fatal'),
    child: (fields) => loggerOver(source, { ...bound, ...fields }),
  };
}

const unknownCorrelation = {
  tenant_id: null,
  agent_id: null,
  conversation_key: null,
  message_id: null,
  transaction_id: null,
  trace_id: null,
} as const;

/** `level` and `timestamp` are pino's: a caller's field of that name would come out as a second key of the same object. */
function lineOf(fixed: { service: string; event: string }, fields: LogFields): object {
  const { level: _level, timestamp: _timestamp, ...facts } = fields;
  const masked = maskFields({ ...fixed, ...unknownCorrelation, ...facts, ...fixed });
  return typeof masked === 'object' && masked !== null ? masked : {};
}
