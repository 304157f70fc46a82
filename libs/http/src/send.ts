import { type Request, type Response } from 'express';
import { problemOf, type Refusal } from './refusal.ts';
import { contextOf } from './request-context.ts';

/** One HTTP request and its answer. */
export type Exchange = { readonly request: Request; readonly response: Response };

/** Answers with an RFC 9457 problem. */
export function sendRefusal({ request, response }: Exchange, refusal: Refusal): void {
  if (response.headersSent || response.destroyed) return;
  if (refusal.retryAfterSeconds !== undefined) response.set('retry-after', String(refusal.retryAfterSeconds));
  if (refusal.challenge !== undefined) response.set('www-authenticate', refusal.challenge);
  response.status(refusal.status).type('application/problem+json');
  response.send(JSON.stringify(problemOf(refusal, contextOf(request).traceId)));
}

/** Answers with JSON. */
export function sendJson({ response }: Exchange, status: number, body: unknown): void {
  if (!response.destroyed) response.status(status).json(body);
}

/** Aborted when the caller goes away before the answer is complete. */
export function disconnectSignal({ response }: Exchange): AbortSignal {
  const gone = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}
