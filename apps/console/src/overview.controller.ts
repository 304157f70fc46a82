import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { topics } from '@latch/contracts';
import { sendJson, sendRefusal } from '@latch/http';
import { TenantQuery, tenantScopeOf } from '@latch/read-api';
import type { Request, Response } from 'express';
import { type Console, consoleToken } from './console.ts';
import { isCatchingUp } from './live-view.ts';

/** How far back the overview counts. */
const countedHours = 24;

/** A tenant at a glance. */
@Controller('v1/overview')
export class OverviewController {
  constructor(@Inject(consoleToken) private readonly console: Console) {}

  /** The transactions of the last 24 hours by state and outcome, the raised alarms by severity, and the dead letters. */
  @Get()
  async read(@Req() request: Request, @Res() response: Response): Promise<void> {
    const exchange = { request, response };
    const { reads, view, streams } = this.console;
    const scope = tenantScopeOf(reads, request, TenantQuery);
    if (!scope.ok) return sendRefusal(exchange, scope.error);
    const { tenantId } = scope.value;
    const since = new Date(Date.now() - countedHours * 3_600_000).toISOString();
    const transactions = await reads.store.read((store) => store.countTransactions({ tenantId, since }));
    if (!transactions.ok) return sendRefusal(exchange, transactions.error);
    sendJson(exchange, 200, {
      tenant_id: tenantId,
      since,
      transactions: transactions.value,
      alarms: countBy(view.alarms.of(tenantId), ({ perceived_severity: severity }) => severity),
      dead_letters: view.deadLetters.countsOf(tenantId).reduce((sum, { count }) => sum + count, 0),
      open_streams: streams.countOf(tenantId),
      is_catching_up: isCatchingUp(view, topics.signals) || isCatchingUp(view, topics.deadLetters),
    });
  }
}

function countBy<T>(list: readonly T[], keyOf: (one: T) => string): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const one of list) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  return Object.fromEntries(counts);
}
