import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { failure, type Result, success } from '@latch/contracts';
import type { StoredTransaction } from '@latch/event-store';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { tenantOf } from './auth.ts';
import { type Ingress, ingressToken } from './ingress.ts';
import { readQuery, TenantQuery, TransactionsQuery } from './queries.ts';
import type { Refusal } from './refusal.ts';
import { sendJson, sendRefusal } from './send.ts';
import { transactionSummary, transactionView } from './transaction-view.ts';

/** The transactions of a tenant. */
@Controller('v1/transactions')
export class TransactionsController {
  constructor(@Inject(ingressToken) private readonly ingress: Ingress) {}

  /** Newest first, without arguments and items. */
  @Get()
  async list(@Req() request: Request, @Res() response: Response): Promise<void> {
    const exchange = { request, response };
    const scope = this.scopeOf(request, TransactionsQuery);
    if (!scope.ok) return sendRefusal(exchange, scope.error);
    const { tenantId, query } = scope.value;
    const filter = { tenantId, status: query.status, tool: query.tool, since: query.since, limit: query.limit };
    const found = await this.ingress.store.read((store) => store.listTransactions(filter));
    if (!found.ok) return sendRefusal(exchange, found.error);
    sendJson(exchange, 200, found.value.map(transactionSummary));
  }

  /** One, with its arguments and items. */
  @Get(':transaction_id')
  async read(@Param('transaction_id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const found = await this.find(id, request);
    if (!found.ok) return sendRefusal({ request, response }, found.error);
    sendJson({ request, response }, 200, transactionView(found.value));
  }

  private async find(id: string, request: Request): Promise<Result<StoredTransaction, Refusal>> {
    const scope = this.scopeOf(request, TenantQuery);
    if (!scope.ok) return scope;
    const found = await this.ingress.store.read((store) => store.readTransaction(scope.value.tenantId, id));
    if (!found.ok) return found;
    return found.value ? success(found.value) : failure({ status: 404, code: 'transaction.unknown' });
  }

  private scopeOf<S extends z.ZodType<{ tenant_id?: string | undefined }>>(
    request: Request,
    schema: S,
  ): Result<{ readonly tenantId: string; readonly query: z.output<S> }, Refusal> {
    const principal = this.ingress.authenticate(request.headers);
    if (!principal.ok) return principal;
    const query = readQuery(schema, request.query);
    if (!query.ok) return query;
    const byDefault = this.ingress.config.defaultTenantId;
    const tenant = tenantOf(principal.value, { named: query.value.tenant_id, byDefault });
    return tenant.ok ? success({ tenantId: tenant.value, query: query.value }) : tenant;
  }
}
