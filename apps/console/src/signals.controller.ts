import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { type Exchange, headerOf, sendRefusal } from '@latch/http';
import { tenantScopeOf } from '@latch/read-api';
import type { Request, Response } from 'express';
import { type Console, consoleToken } from './console.ts';
import { SignalsQuery } from './signal-filter.ts';

/** The signals of the platform, live. */
@Controller('v1/signals')
export class SignalsController {
  constructor(@Inject(consoleToken) private readonly console: Console) {}

  /** Server-sent events. A client that comes back with `Last-Event-ID` gets what it missed, as far as it is kept. */
  @Get('stream')
  stream(@Req() request: Request, @Res() response: Response): void {
    const exchange: Exchange = { request, response };
    const scope = tenantScopeOf(this.console.reads, request, SignalsQuery);
    if (!scope.ok) return sendRefusal(exchange, scope.error);
    const lastEventId = headerOf(request, 'last-event-id');
    const isOpen = this.console.streams.start(exchange, { ...scope.value, lastEventId });
    if (!isOpen) sendRefusal(exchange, { status: 503, code: 'stream.too_many', retryAfterSeconds: 10 });
  }
}
