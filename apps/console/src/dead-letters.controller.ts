import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { topics } from '@latch/contracts';
import { sendJson, sendRefusal } from '@latch/http';
import { tenantScopeOf } from '@latch/read-api';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { type Console, consoleToken } from './console.ts';
import { isCatchingUp } from './live-view.ts';

/** Which dead letters. */
export const DeadLettersQuery = z.strictObject({
  tenant_id: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('The tenant. Letters whose message names none are those of the tenant `unknown`.'),
  topic: z.string().min(1).max(200).optional().describe('Only letters of messages of this topic.'),
  code: z.string().min(1).max(100).optional().describe('Only letters with this reason.'),
  limit: z.coerce.number().int().min(1).max(500).default(50).describe('The most letters of one answer.'),
});

/** Messages that could not be handled. */
@Controller('v1/dead-letters')
export class DeadLettersController {
  constructor(@Inject(consoleToken) private readonly console: Console) {}

  /** The newest first, masked; and how many there were of each kind. The messages themselves stay on the bus. */
  @Get()
  list(@Req() request: Request, @Res() response: Response): void {
    const { reads, view } = this.console;
    const scope = tenantScopeOf(reads, request, DeadLettersQuery);
    if (!scope.ok) return sendRefusal({ request, response }, scope.error);
    const { tenantId, query } = scope.value;
    const letters = view.deadLetters
      .of(tenantId)
      .filter(({ topic }) => query.topic === undefined || topic === query.topic)
      .filter(({ reason }) => query.code === undefined || reason.code === query.code)
      .slice(0, query.limit);
    const counts = view.deadLetters.countsOf(tenantId);
    const total = counts.reduce((sum, { count }) => sum + count, 0);
    sendJson({ request, response }, 200, {
      total,
      counts,
      letters,
      is_catching_up: isCatchingUp(view, topics.deadLetters),
    });
  }
}
