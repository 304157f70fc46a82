import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { type Result, success } from '@latch/contracts';
import { type Refusal, sendJson, sendRefusal } from '@latch/http';
import { ConversationQuery, findConversation, nextPageOf } from '@latch/read-api';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { type Chat, readChat } from './chat.ts';
import { type Console, consoleToken } from './console.ts';

/** Which turns of a conversation. */
export const ChatQuery = ConversationQuery.extend({
  after: z.coerce.number().int().min(0).max(1_000_000_000).default(0).describe('Sequence after which to begin.'),
  limit: z.coerce.number().int().min(1).max(200).default(100).describe('The most turns of one answer.'),
});

/** What was said in a conversation. */
@Controller('v1/conversations/:key/chat')
export class ChatController {
  constructor(@Inject(consoleToken) private readonly console: Console) {}

  /** The turns in order: what the user said, and what was answered. A full page names the next one in `Link`. */
  @Get()
  async read(@Param('key') key: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const exchange = { request, response };
    const found = await this.find(key, request);
    if (!found.ok) return sendRefusal(exchange, found.error);
    const { chat, query } = found.value;
    const last = chat.length === query.limit ? chat.at(-1) : undefined;
    if (last) response.set('link', nextPageOf(request, { ...query, after: last.sequence }));
    sendJson(exchange, 200, chat);
  }

  private async find(key: string, request: Request): Promise<Result<FoundChat, Refusal>> {
    const { reads } = this.console;
    const found = await findConversation(reads, { key, request, schema: ChatQuery });
    if (!found.ok) return found;
    const { conversation, query } = found.value;
    const { tenantId, conversationKey } = conversation;
    const range = { tenantId, key: conversationKey, after: query.after, limit: query.limit };
    const chat = await reads.store.read((store) => readChat(store, range));
    return chat.ok ? success({ chat: chat.value, query }) : chat;
  }
}

type FoundChat = { readonly chat: Chat; readonly query: z.output<typeof ChatQuery> };
