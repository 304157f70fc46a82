import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { topics } from '@latch/contracts';
import { sendJson, sendRefusal } from '@latch/http';
import { TenantQuery, tenantScopeOf } from '@latch/read-api';
import type { Request, Response } from 'express';
import { type Console, consoleToken } from './console.ts';
import { isCatchingUp } from './live-view.ts';

/** What is wrong now. */
@Controller('v1/alarms')
export class AlarmsController {
  constructor(@Inject(consoleToken) private readonly console: Console) {}

  /** The alarms that are raised, the gravest first. While the console catches up, one that was cleared may still be among them. */
  @Get()
  list(@Req() request: Request, @Res() response: Response): void {
    const { reads, view } = this.console;
    const scope = tenantScopeOf(reads, request, TenantQuery);
    if (!scope.ok) return sendRefusal({ request, response }, scope.error);
    const alarms = view.alarms.of(scope.value.tenantId);
    sendJson({ request, response }, 200, { alarms, is_catching_up: isCatchingUp(view, topics.signals) });
  }
}
