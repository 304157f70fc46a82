import { Controller, Inject, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  contextOf,
  disconnectSignal,
  EventStream,
  type Exchange,
  principalOf,
  type Refusal,
  sendJson,
  sendRefusal,
} from '@latch/http';
import { type Ingress, ingressToken } from './ingress.ts';
import { receiveMessage, type TurnOutcome, type Waiting } from './receive-message.ts';
import { endStream, openStream, sendProgress } from './stream-turn.ts';
import { observeTurn } from './observe-turn.ts';
import { turnFromRequest } from './turn-from-request.ts';
import { turnStatusOf } from './turn-status.ts';
import type { Turn } from './turn.ts';
import { watchCredential } from './watch-credential.ts';
import { maxWaitSeconds, waitSecondsOf } from './wait-preference.ts';

const defaultWaitSeconds = 30;

/** Where user messages come in (DESIGN section 10). */
@Controller('v1/messages')
export class MessagesController {
  constructor(@Inject(ingressToken) private readonly ingress: Ingress) {}

  /** A GatewayRequest in; its ChannelResponse out, or 202 with the place to ask when the caller's wait is over first. */
  @Post()
  async send(@Req() request: Request, @Res() response: Response): Promise<void> {
    const exchange = { request, response };
    const turn = await turnFromRequest(this.ingress, request);
    if (!turn.ok) return this.refuse(exchange, turn.error);
    const seconds = waitSecondsOf(request.headers['prefer'], defaultWaitSeconds);
    response.set('preference-applied', `wait=${seconds}`);
    const outcome = await this.receive(exchange, turn.value, { seconds, signal: disconnectSignal(exchange) });
    this.answer(exchange, turn.value, outcome);
  }

  /** The same as a stream of server-sent events, which always ends with `flow.end` or `error`. */
  @Post('stream')
  async stream(@Req() request: Request, @Res() response: Response): Promise<void> {
    const exchange = { request, response };
    const turn = await turnFromRequest(this.ingress, request);
    if (!turn.ok) return this.refuse(exchange, turn.error);
    const stream = new EventStream(response);
    const status = turnStatusOf(turn.value, this.ingress.config);
    const { traceId } = contextOf(request);
    const waiting = { principal: principalOf(request), callerGone: disconnectSignal(exchange) };
    const { value: outcome, lapse } = await watchCredential(waiting, (signal) =>
      this.receive(exchange, turn.value, {
        signal,
        seconds: waitSecondsOf(request.headers['prefer'], maxWaitSeconds),
        onAccepted: () => openStream(stream, { turn: turn.value, status, traceId }),
        onProgress: (progress) => sendProgress(stream, { progress, status }),
      }),
    );
    if (outcome.kind === 'refused') return this.refuse(exchange, outcome.refusal);
    endStream(stream, { outcome, lapse, status, traceId });
  }

  private async receive(
    exchange: Exchange,
    turn: Turn,
    { seconds, ...told }: { readonly seconds: number } & Pick<Waiting, 'signal' | 'onAccepted' | 'onProgress'>,
  ): Promise<TurnOutcome> {
    const startedAtMs = performance.now();
    const context = contextOf(exchange.request);
    const outcome = await receiveMessage(this.ingress, turn, {
      context,
      timeoutMs: seconds * 1_000,
      ...told,
    });
    observeTurn(this.ingress, turn, { outcome, context, durationMs: performance.now() - startedAtMs });
    return outcome;
  }

  private answer(exchange: Exchange, turn: Turn, outcome: TurnOutcome): void {
    switch (outcome.kind) {
      case 'answered':
        return sendJson(exchange, 200, outcome.response);
      case 'late':
      case 'draining':
        exchange.response.set('retry-after', '1');
        return sendJson(exchange, 202, turnStatusOf(turn, this.ingress.config));
      case 'conflict':
        return sendRefusal(exchange, { status: 409, code: 'turn.conflict' });
      case 'refused':
        return sendRefusal(exchange, outcome.refusal);
      case 'gone':
        return;
      default:
        return outcome satisfies never;
    }
  }

  private refuse(exchange: Exchange, refusal: Refusal): void {
    this.ingress.logger.info('request.refused', {
      code: refusal.code,
      status: refusal.status,
      trace_id: contextOf(exchange.request).traceId,
      problems: refusal.errors,
    });
    sendRefusal(exchange, refusal);
  }
}
