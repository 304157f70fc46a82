import { type NextFunction, type Request, type Response } from 'express';
import { contextOf } from './request-context.ts';

/** Sets what every answer carries: the ids that lead to its log lines, and that it is neither cached nor guessed at. */
export function stampAnswer(request: Request, response: Response, next: NextFunction): void {
  const { requestId, traceId } = contextOf(request);
  response.set({
    'x-request-id': requestId,
    'x-trace-id': traceId,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  next();
}
