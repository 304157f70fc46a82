import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { failure, type Result, success } from '@latch/contracts';
import type { StoredTransaction, TransactionFilter } from '@latch/event-store';
import { eventEnvelopeOf, makeBundle, readBundleSource } from '@latch/evidence';
import { type Refusal, sendJson, sendRefusal } from '@latch/http';
import type { Request, Response } from 'express';
import { TenantQuery, TransactionsQuery } from './queries.ts';
import { type ReadApi, readApiToken } from './read-api.ts';
import { tenantScopeOf } from './tenant-scope.ts';
import { cursorAfter, placeOf } from './transaction-cursor.ts';
import { transactionSummary, transactionView } from './transaction-view.ts';

/** The most events that a transaction's timeline shows; `/v1/conversations/{key}/events` has all. */
const maxTimeline = 500;

/** The transactions of a tenant. */
@Controller('v1/transactions')
export class TransactionsController {
  constructor(@Inject(readApiToken) private readonly api: ReadApi) {}

  /** Newest first, without arguments and items. A full page names the next one in `Link`. */
  @Get()
  async list(@Req() request: Request, @Res() response: Response): Promise<void> {
    const exchange = { request, response };
    const filter = this.filterOf(request);
    if (!filter.ok) return sendRefusal(exchange, filter.error);
    const found = await this.api.store.read((store) => store.listTransactions(filter.value));
    if (!found.ok) return sendRefusal(exchange, found.error);
    const last = found.value.length === filter.value.limit ? found.value.at(-1) : undefined;
    if (last) response.set('link', `<${nextPage(request, cursorAfter(last))}>; rel="next"`);
    sendJson(exchange, 200, found.value.map(transactionSummary));
  }

  /** One, with its arguments, its items and its timeline. */
  @Get(':transaction_id')
  async read(@Param('transaction_id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const found = await this.find(id, request);
    if (!found.ok) return sendRefusal({ request, response }, found.error);
    const timeline = await this.timelineOf(found.value);
    if (!timeline.ok) return sendRefusal({ request, response }, timeline.error);
    sendJson({ request, response }, 200, { ...transactionView(found.value), timeline: timeline.value });
  }

  /** Everything that proves what happened in it, in one file: `latch verify FILE` checks it without this system. */
  @Get(':transaction_id/evidence')
  async evidence(
    @Param('transaction_id') id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const exchange = { request, response };
    const found = await this.find(id, request);
    if (!found.ok) return sendRefusal(exchange, found.error);
    const of = { tenantId: found.value.tenantId, transactionId: id, publicKeys: [] };
    const source = await this.api.store.read((store) => readBundleSource(store, of));
    if (!source.ok) return sendRefusal(exchange, source.error);
    if (source.value === undefined) return sendRefusal(exchange, { status: 404, code: 'transaction.unknown' });
    sendJson(exchange, 200, makeBundle(source.value));
  }

  private filterOf(request: Request): Result<TransactionFilter, Refusal> {
    const scope = tenantScopeOf(this.api, request, TransactionsQuery);
    if (!scope.ok) return scope;
    const { tenantId, query } = scope.value;
    const after = placeOf(query.cursor);
    if (!after.ok) return after;
    const { status, tool, agent_id: agentId, since, limit } = query;
    return success({ tenantId, status, tool, agentId, since, limit, after: after.value });
  }

  private async find(id: string, request: Request): Promise<Result<StoredTransaction, Refusal>> {
    const scope = tenantScopeOf(this.api, request, TenantQuery);
    if (!scope.ok) return scope;
    const found = await this.api.store.read((store) => store.readTransaction(scope.value.tenantId, id));
    if (!found.ok) return found;
    return found.value ? success(found.value) : failure({ status: 404, code: 'transaction.unknown' });
  }

  private timelineOf({
    id,
    tenantId,
    conversationKey,
  }: StoredTransaction): Promise<Result<readonly object[], Refusal>> {
    return this.api.store.read(async (store) => {
      const range = { tenantId, key: conversationKey, transactionId: id, after: 0, limit: maxTimeline };
      const [conversation, events] = await Promise.all([
        store.readConversation(tenantId, conversationKey),
        store.readEvents(range),
      ]);
      return conversation === undefined ? [] : events.map((event) => eventEnvelopeOf(event, conversation));
    });
  }
}

function nextPage({ path, query }: Request, cursor: string): string {
  const kept = Object.entries(query).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
  return `${path}?${new URLSearchParams({ ...Object.fromEntries(kept), cursor }).toString()}`;
}
