import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { EventEnvelope, failure, type Result, success } from '@latch/contracts';
import type { StoredTurn } from '@latch/event-store';
import type { Request, Response } from 'express';
import { principalOf, type Refusal, sendJson, sendRefusal } from '@latch/http';
import { TenantQuery, tenantScopeOf } from '@latch/read-api';
import { isTurnOf } from './is-turn-of.ts';
import { type Ingress, ingressToken } from './ingress.ts';

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
    const { config, store } = this.ingress;
    const scope = tenantScopeOf({ defaultTenantId: config.defaultTenantId }, request, TenantQuery);
    if (!scope.ok) return scope;
    const turn = await store.read((reads) => reads.readTurn(scope.value.tenantId, turnId));
    if (!turn.ok) return turn;
    const isTheirs = turn.value && isTurnOf(principalOf(request), turn.value, config.agents);
    return turn.value && isTheirs ? success(turn.value) : failure(unknownTurn);
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
    ...(turn.isErased && { erased: true }),
    response: turn.response === null ? null : EventEnvelope.parse(JSON.parse(turn.response)).payload,
  };
}
