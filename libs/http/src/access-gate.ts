import { type Scope } from '@latch/config';
import { type Logger, type Metrics } from '@latch/observability';
import { type NextFunction, type Request, type Response } from 'express';
import { type Authenticate, type Denial, lacking } from './authenticate.ts';
import { rememberPrincipal } from './principal.ts';
import { contextOf } from './request-context.ts';
import { sendRefusal } from './send.ts';

/** Who may use an API. */
export type Access = {
  readonly metrics: Pick<Metrics, 'authFailures'>;
  readonly authenticate: Authenticate;
  /** What a request needs; one of them is enough. */
  readonly scopesFor: (request: Pick<Request, 'method' | 'path'>) => readonly Scope[];
  /** Whether a path belongs to nobody, beside those that every service has. @default none does */
  readonly isOpen?: (path: string) => boolean;
};

const openPaths = ['/health', '/ready', '/version', '/metrics', '/openapi.json'];

/**
 * Lets a request in that has a credential with a scope that it needs. Everything needs one that is not named as open, exactly as it is named: a path that is new, or spelled in
 * a way that only a router takes for a known one, is closed.
 */
export function accessGate(
  { authenticate, scopesFor, metrics, isOpen = () => false }: Access,
  logger: Pick<Logger, 'warn'>,
): (request: Request, response: Response, next: NextFunction) => Promise<void> {
  const deny = (
    { refusal, reason }: Denial,
    exchange: { readonly request: Request; readonly response: Response },
  ): void => {
    metrics.authFailures.inc({ reason });
    logger.warn('auth.refused', { reason, code: refusal.code, trace_id: contextOf(exchange.request).traceId });
    exchange.request.resume();
    sendRefusal(exchange, refusal);
  };
  return async (request, response, next) => {
    if (openPaths.includes(request.path) || isOpen(request.path)) return next();
    const principal = await authenticate(request.headers);
    if (!principal.ok) return deny(principal.error, { request, response });
    const needed = scopesFor(request);
    if (!needed.some((scope) => principal.value.scopes.includes(scope)))
      return deny(lacking(needed), { request, response });
    rememberPrincipal(request, principal.value);
    // What a credential does not allow within its scope, another tenant or user, is found later.
    response.on('finish', () => {
      if (response.statusCode === 403) metrics.authFailures.inc({ reason: 'forbidden' });
    });
    next();
  };
}
