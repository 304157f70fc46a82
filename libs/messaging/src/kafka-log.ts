import { type Logger } from '@latch/observability';
import kafkajs, { type logCreator } from 'kafkajs';

const { logLevel } = kafkajs;

/**
 * What kafkajs reports as an error or a warning and is normal life of a group or of a broker that restarts. kafkajs goes on by itself after each of them;
 * what it does not get over comes to us as a rejected call or as a crash event, which we log ourselves.
 */
const normalLife =
  /coordinator is (loading|not available)|not the correct coordinator|group is rebalancing|rejoin|re-joining|not aware of this member|not aware of all|specified group generation|topic-partition does not exist|no leader for this topic|Failed to connect to seed broker|Connection (error|timeout)|Closed connection|ECONNRESET|EPIPE|ECONNREFUSED|Limiting retries for the idempotent|^Crash: |Restarting the consumer|Failed to send messages/i;

/** A side that does not trust the other is no normal life, although kafkajs takes it for a connection that broke. */
const noTrust = /certificate|SSL routines|Hostname\/IP/i;

/** Sends the log of kafkajs to ours, as `kafka.client`: normal life as debug, the rest at its own level. */
export function kafkaLogCreator(logger: Logger): logCreator {
  return () =>
    ({ namespace, level, log }) => {
      const { message, timestamp: _timestamp, logger: _name, stack: _stack, ...details } = log;
      const text = `${message} ${String(details.error ?? '')}`;
      logger[ourLevel(level, text)]('kafka.client', { message, namespace, details });
    };
}

function ourLevel(level: number, text: string): 'error' | 'warn' | 'debug' | 'trace' {
  if (normalLife.test(text) && !noTrust.test(text)) return 'debug';
  if (level === logLevel.ERROR) return 'error';
  if (level === logLevel.WARN) return 'warn';
  return level === logLevel.INFO ? 'debug' : 'trace';
}
