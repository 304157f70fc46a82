import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { Result } from '@latch/contracts';
import type { StoredConversation } from '@latch/event-store';
import { NoQuery, readQuery, type Refusal, sendJson, sendRefusal } from '@latch/http';
import type { Request, Response } from 'express';
import { agentStateOf, checkpointOf, envelopeOf } from './conversation-view.ts';
import { explainStoredTurn } from './explain-turn.ts';
import { findConversation } from './find-conversation.ts';
import { EventsQuery, StateQuery } from './queries.ts';
import { type ReadApi, readApiToken } from './read-api.ts';
import { checkpointAt } from './checkpoint-at.ts';

/** What is known of a conversation: its state, its events, its checkpoint. */
@Controller('v1/conversations/:key')
export class ConversationsController {
  constructor(@Inject(readApiToken) private readonly api: ReadApi) {}

  /** The AgentState after the latest event. */
  @Get()
  async state(@Param('key') key: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const conversation = await this.find(key, request);
    if (!conversation.ok) return sendRefusal({ request, response }, conversation.error);
    sendJson({ request, response }, 200, agentStateOf(conversation.value));
  }

  /** The same with its version and digests, as a restart resumes from it. */
  @Get('checkpoint')
  async checkpoint(@Param('key') key: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const conversation = await this.find(key, request);
    if (!conversation.ok) return sendRefusal({ request, response }, conversation.error);
    sendJson({ request, response }, 200, checkpointOf(conversation.value));
  }

  /** The Checkpoint as it was after an event: time travel. */
  @Get('state')
  async stateAt(@Param('key') key: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const exchange = { request, response };
    const query = readQuery(StateQuery, request.query);
    if (!query.ok) return sendRefusal(exchange, query.error);
    const conversation = await this.find(key, request);
    if (!conversation.ok) return sendRefusal(exchange, conversation.error);
    const checkpoint = await checkpointAt(this.api.store, conversation.value, query.value.at);
    if (!checkpoint.ok) return sendRefusal(exchange, checkpoint.error);
    sendJson(exchange, 200, checkpoint.value);
  }

  /** The events after `after`, in order, as EventEnvelopes. A full page names the next one in `Link`. */
  @Get('events')
  async events(@Param('key') key: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const exchange = { request, response };
    const query = readQuery(EventsQuery, request.query);
    if (!query.ok) return sendRefusal(exchange, query.error);
    const conversation = await this.find(key, request);
    if (!conversation.ok) return sendRefusal(exchange, conversation.error);
    const { tenantId, conversationKey } = conversation.value;
    const events = await this.api.store.read((store) =>
      store.readEvents({ tenantId, key: conversationKey, ...query.value }),
    );
    if (!events.ok) return sendRefusal(exchange, events.error);
    const last = events.value.length === query.value.limit ? events.value.at(-1) : undefined;
    if (last) response.set('link', `<${request.path}?after=${last.version}&limit=${query.value.limit}>; rel="next"`);
    const envelopes = events.value.map((event) => envelopeOf(event, conversation.value));
    sendJson(exchange, 200, envelopes);
  }

  /** Why the turn of a message went as it did. */
  @Get('turns/:message_id/explain')
  async explain(
    @Param() { key, message_id: messageId }: Readonly<Record<'key' | 'message_id', string>>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const exchange = { request, response };
    const query = readQuery(NoQuery, request.query);
    if (!query.ok) return sendRefusal(exchange, query.error);
    const conversation = await this.find(key, request);
    if (!conversation.ok) return sendRefusal(exchange, conversation.error);
    const explanation = await explainStoredTurn(this.api.store, conversation.value, messageId);
    if (!explanation.ok) return sendRefusal(exchange, explanation.error);
    sendJson(exchange, 200, explanation.value);
  }

  private find(key: string, request: Request): Promise<Result<StoredConversation, Refusal>> {
    return findConversation(this.api, key, request);
  }
}
