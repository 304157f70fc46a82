import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Logger } from '@latch/observability';
import { EventStream } from './event-stream.ts';
import { problemOf, type Refusal } from './refusal.ts';
import { contextOf } from './request-context.ts';
import { sendRefusal } from './send.ts';

/** What nobody expected becomes a problem document too. A bug shows its trace id, never its words: those are in the log. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const refusal = refusalOf(error);
    const { traceId } = contextOf(request);
    if (refusal.status === 500)
      this.logger.error('request.failed', { error, trace_id: traceId, path: readablePath(request.path) });
    if (!response.headersSent) return sendRefusal({ request, response }, refusal);
    const stream = new EventStream(response);
    stream.send('error', problemOf(refusal, traceId));
    stream.close();
  }
}

/** As it was meant: the mask of the log knows no personal data behind percent signs. */
function readablePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return 'cannot be decoded';
  }
}

function refusalOf(error: unknown): Refusal {
  const status = error instanceof HttpException ? error.getStatus() : statusOf(error);
  if (status === 404) return { status: 404, code: 'route.unknown' };
  if (status >= 400 && status < 500)
    return { status: 400, code: 'request.malformed', detail: 'The address cannot be read.' };
  return { status: 500, code: 'internal' };
}

/** Express throws errors with a `status` for an address that it cannot decode. */
function statusOf(error: unknown): number {
  const status: unknown = error instanceof Error ? Reflect.get(error, 'status') : undefined;
  return typeof status === 'number' ? status : 500;
}
