import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { type Result } from '@latch/contracts';
import { readQuery, type Refusal, sendJson, sendRefusal } from '@latch/http';
import { findConversation } from '@latch/read-api';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { type Chat, readChat } from './chat.ts';
import { type Console, consoleToken } from './console.ts';

/** Which turns of a conversation. */
export const ChatQuery = z.strictObject({
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
    const query = readQuery(ChatQuery, request.query);
    if (!query.ok) return sendRefusal(exchange, query.error);
    const chat = await this.find(key, request, query.value);
    if (!chat.ok) return sendRefusal(exchange, chat.error);
    const last = chat.value.length === query.value.limit ? chat.value.at(-1) : undefined;
    if (last) response.set('link', `<${request.path}?after=${last.sequence}&limit=${query.value.limit}>; rel="next"`);
    sendJson(exchange, 200, chat.value);
  }

  private async find(key: string, request: Request, page: z.output<typeof ChatQuery>): Promise<Result<Chat, Refusal>> {
    const { reads } = this.console;
    const conversation = await findConversation(reads, key, request);
    if (!conversation.ok) return conversation;
    const { tenantId, conversationKey } = conversation.value;
    return reads.store.read((store) => readChat(store, { tenantId, key: conversationKey, ...page }));
  }
}
