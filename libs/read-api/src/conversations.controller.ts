import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { eventEnvelopeOf } from '@latch/evidence';
import { sendJson, sendRefusal } from '@latch/http';
import type { Request, Response } from 'express';
import { checkpointAt } from './checkpoint-at.ts';
import { agentStateOf, checkpointOf } from './conversation-view.ts';
import { explainStoredTurn } from './explain-turn.ts';
import { findConversation } from './find-conversation.ts';
import { nextPageOf } from './next-page.ts';
import { ConversationQuery, EventsQuery, StateQuery } from './queries.ts';
import { type ReadApi, readApiToken } from './read-api.ts';

/** What is known of a conversation: its state, its events, its checkpoint. */
@Controller('v1/conversations/:key')
export class ConversationsController {
  constructor(@Inject(readApiToken) private readonly api: ReadApi) {}

  /** The AgentState after the latest event. */
  @Get()
  async state(@Param('key') key: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const found = await findConversation(this.api, { key, request, schema: ConversationQuery });
    if (!found.ok) return sendRefusal({ request, response }, found.error);
    sendJson({ request, response }, 200, agentStateOf(found.value.conversation));
  }

  /** The same with its version and digests, as a restart resumes from it. */
  @Get('checkpoint')
  async checkpoint(@Param('key') key: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const found = await findConversation(this.api, { key, request, schema: ConversationQuery });
    if (!found.ok) return sendRefusal({ request, response }, found.error);
    sendJson({ request, response }, 200, checkpointOf(found.value.conversation));
  }

  /** The Checkpoint as it was after an event: time travel. */
  @Get('state')
  async stateAt(@Param('key') key: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const exchange = { request, response };
    const found = await findConversation(this.api, { key, request, schema: StateQuery });
    if (!found.ok) return sendRefusal(exchange, found.error);
    const checkpoint = await checkpointAt(this.api.store, found.value.conversation, found.value.query.at);
    if (!checkpoint.ok) return sendRefusal(exchange, checkpoint.error);
    sendJson(exchange, 200, checkpoint.value);
  }

  /** The events after `after`, in order, as EventEnvelopes. A full page names the next one in `Link`. */
  @Get('events')
  async events(@Param('key') key: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const exchange = { request, response };
    const found = await findConversation(this.api, { key, request, schema: EventsQuery });
    if (!found.ok) return sendRefusal(exchange, found.error);
    const { conversation, query } = found.value;
    const { tenantId, conversationKey } = conversation;
    const range = { tenantId, key: conversationKey, after: query.after, limit: query.limit };
    const events = await this.api.store.read((store) => store.readEvents(range));
    if (!events.ok) return sendRefusal(exchange, events.error);
    const last = events.value.length === query.limit ? events.value.at(-1) : undefined;
    if (last) response.set('link', nextPageOf(request, { ...query, after: last.version }));
    const envelopes = events.value.map((event) => eventEnvelopeOf(event, conversation));
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
    const found = await findConversation(this.api, { key, request, schema: ConversationQuery });
    if (!found.ok) return sendRefusal(exchange, found.error);
    const explanation = await explainStoredTurn(this.api.store, found.value.conversation, messageId);
    if (!explanation.ok) return sendRefusal(exchange, explanation.error);
    sendJson(exchange, 200, explanation.value);
  }
}
