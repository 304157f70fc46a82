import { type LoggerService } from '@nestjs/common';
import { type Logger } from './logger.ts';

/**
 * Nest's own log lines as ours: `NestFactory.create(module, { logger: nestLogger(logger) })`. Nest's talk about routes and modules goes to debug; its
 * warnings and errors keep their level.
 */
export function nestLogger(logger: Logger): LoggerService {
  const quiet = (message: unknown, ...rest: unknown[]): void => logger.debug('nest.log', lineOf(message, rest));
  return {
    log: quiet,
    debug: quiet,
    verbose: quiet,
    warn: (message, ...rest) => logger.warn('nest.warning', lineOf(message, rest)),
    error: (message, ...rest) => logger.error('nest.error', lineOf(message, rest)),
    fatal: (message, ...rest) => logger.fatal('nest.fatal', lineOf(message, rest)),
  };
}

function lineOf(
  message: unknown,
  details: readonly unknown[],
): { message?: string; error?: unknown; details: unknown } {
  return message instanceof Error ? { error: message, details } : { message: String(message), details };
}
