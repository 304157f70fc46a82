import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { type Result } from '@latch/contracts';
import { type Exchange, type Refusal, sendJson, sendRefusal } from '@latch/http';
import { conversationScopeOf, ConversationQuery, type ReadApi, readApiToken, type StoreReader } from '@latch/read-api';
import type { Request, Response } from 'express';
import {
  type NamedConversation,
  rebuildConversation,
  redecideConversation,
  verifyConversation,
} from './replay-conversation.ts';

/**
 * Proofs of one conversation, each word for what `latch` means by it: `verify`, `rebuild`, `redecide`. They read and have no effect; a whole store, another
 * configuration, and publishing again are for the command line, which an operator may stop.
 */
@Controller('v1/conversations/:key')
export class ReplayController {
  constructor(@Inject(readApiToken) private readonly api: ReadApi) {}

  /** Whether its events are what was written. */
  @Get('verify')
  async verify(@Param('key') key: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    await this.answer(verifyConversation, { key, exchange: { request, response } });
  }

  /** Whether they fold to the state that is stored. */
  @Get('rebuild')
  async rebuild(@Param('key') key: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    await this.answer(rebuildConversation, { key, exchange: { request, response } });
  }

  /** Whether every decision comes out again. */
  @Get('redecide')
  async redecide(@Param('key') key: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    await this.answer(redecideConversation, { key, exchange: { request, response } });
  }

  private async answer(word: Word, { key, exchange }: Asked): Promise<void> {
    const { request } = exchange;
    const scope = conversationScopeOf({ key, request, schema: ConversationQuery });
    if (!scope.ok) return sendRefusal(exchange, scope.error);
    // The conversation itself is not read: its state may be what somebody has altered.
    const shown = await word(this.api.store, { tenantId: scope.value.tenantId, conversationKey: key });
    if (!shown.ok) return sendRefusal(exchange, shown.error);
    sendJson(exchange, 200, shown.value);
  }
}

type Asked = { readonly key: string; readonly exchange: Exchange };

type Word = (store: StoreReader, conversation: NamedConversation) => Promise<Result<object, Refusal>>;
