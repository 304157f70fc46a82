import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { type EvaluationResult, failure, type Result, RetryableError, success } from '@latch/contracts';
import { principalOf, readQuery, type Refusal, sendJson, sendRefusal, tenantOf } from '@latch/http';
import type { Request, Response } from 'express';
import { type EvaluationStore } from './evaluation-store.ts';
import { EvaluationsQuery } from './evaluations-query.ts';

/** Token of what the API needs. */
export const apiToken = Symbol('evaluations-api');

/** What the API reads. */
export type EvaluationsApi = {
  readonly store: Pick<EvaluationStore, 'list'>;
};

/** What the judges said of a conversation's turns. */
@Controller('v1/evaluations')
export class EvaluationsController {
  constructor(@Inject(apiToken) private readonly api: EvaluationsApi) {}

  /**
   * `GET /v1/evaluations?conversation_key=&limit=`: newest first. The key begins with its tenant; that of a credential, or one that the query names, counts
   * more: for it, a conversation of another tenant has none, just as one that does not exist.
   */
  @Get()
  async list(@Req() request: Request, @Res() response: Response): Promise<void> {
    const found = await this.find(request);
    if (!found.ok) return sendRefusal({ request, response }, found.error);
    sendJson({ request, response }, 200, found.value);
  }

  private async find(request: Request): Promise<Result<readonly EvaluationResult[], Refusal>> {
    const query = readQuery(EvaluationsQuery, request.query);
    if (!query.ok) return query;
    const { tenant_id: named, conversation_key: conversationKey, limit } = query.value;
    const byDefault = conversationKey.slice(0, Math.max(0, conversationKey.indexOf(':')));
    const tenant = tenantOf(principalOf(request), { named, byDefault });
    if (!tenant.ok) return tenant;
    return tenant.value === byDefault ? this.read({ tenantId: byDefault, conversationKey, limit }) : success([]);
  }

  private async read(
    of: Parameters<EvaluationStore['list']>[0],
  ): Promise<Result<readonly EvaluationResult[], Refusal>> {
    try {
      return success(await this.api.store.list(of));
    } catch (error) {
      if (!(error instanceof RetryableError)) throw error;
      return failure({ status: 503, code: 'store.unavailable', retryAfterSeconds: 2 });
    }
  }
}
