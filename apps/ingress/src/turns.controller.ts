import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { EventEnvelope, failure, type Result, success } from '@latch/contracts';
import type { StoredTurn } from '@latch/event-store';
import type { Request, Response } from 'express';
import { tenantOf } from './auth.ts';
import { type Ingress, ingressToken } from './ingress.ts';
import { readQuery, TenantQuery } from './queries.ts';
import type { Refusal } from './refusal.ts';
import { sendJson, sendRefusal } from './send.ts';

/** What became of a turn. */
@Controller('v1/turns')
export class TurnsController {
  constructor(@Inject(ingressToken) private readonly ingress: Ingress) {}

  /** The turn's status and, when it is done, the ChannelResponse that its caller got. */
  @Get(':turn_id')
  async read(@Param('turn_id') turnId: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const exchange = { request, response };
    const turn = await this.find(turnId, request);
    if (!turn.ok) return sendRefusal(exchange, turn.error);
    if (turn.value.status === 'in_flight') response.set('retry-after', '1');
    sendJson(exchange, 200, turnView(turn.value));
  }

  private async find(turnId: string, request: Request): Promise<Result<StoredTurn, Refusal>> {
    const principal = this.ingress.authenticate(request.headers);
    if (!principal.ok) return principal;
    const query = readQuery(TenantQuery, request.query);
    if (!query.ok) return query;
    const byDefault = this.ingress.config.defaultTenantId;
    const tenant = tenantOf(principal.value, { named: query.value.tenant_id, byDefault });
    if (!tenant.ok) return tenant;
    const turn = await this.ingress.store.read((store) => store.readTurn(tenant.value, turnId));
    if (!turn.ok) return turn;
    return turn.value ? success(turn.value) : failure(unknownTurn);
  }
}

/** A turn is known when the orchestrator has taken it up, which may be a moment after it was accepted. */
const unknownTurn: Refusal = {
  status: 404,
  code: 'turn.unknown',
  detail:
    'No turn of that id is known to this tenant. One that was accepted a moment ago may not have been taken up yet: ask again.',
  retryAfterSeconds: 1,
};

function turnView(turn: StoredTurn): object {
  return {
    turn_id: turn.turnId,
    status: turn.status,
    conversation_key: turn.conversationKey,
    message_id: turn.messageId,
    response: turn.response === null ? null : EventEnvelope.parse(JSON.parse(turn.response)).payload,
  };
}
