import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common';
import { type EvaluationResult, type InputProblem, type Problem, RetryableError } from '@latch/contracts';
import { traceContextOf } from '@latch/observability';
import type { Request, Response } from 'express';
import { type Authenticate } from './auth.ts';
import { type EvaluationStore } from './evaluation-store.ts';

/** Token of what the API needs. */
export const apiToken = Symbol('evaluations-api');

/** What the API reads, and how it knows for whom. */
export type EvaluationsApi = {
  readonly store: Pick<EvaluationStore, 'list'>;
  readonly authenticate: Authenticate;
};

/** What the judges said of a conversation's turns. */
@Controller('v1/evaluations')
export class EvaluationsController {
  constructor(@Inject(apiToken) private readonly api: EvaluationsApi) {}

  /**
   * `GET /v1/evaluations?conversation_key=&limit=`: newest first. The key begins with its tenant; a conversation of another tenant than the caller's has none,
   * just as one that does not exist.
   */
  @Get()
  async list(
    @Query() query: Record<string, unknown>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { conversation_key: key, limit = '50' } = query;
    const errors = problemsIn(key, limit);
    if (typeof key !== 'string' || errors.length > 0) return refuse({ request, response }, 422, errors);
    const tenantId = key.slice(0, Math.max(0, key.indexOf(':')));
    const own = this.api.authenticate(request.headers).tenantId ?? tenantId;
    const found = own === tenantId ? await this.find(tenantId, key, Number(limit)) : [];
    if (found === undefined) return refuse({ request, response }, 503, []);
    response.json(found);
  }

  private async find(
    tenantId: string,
    conversationKey: string,
    limit: number,
  ): Promise<readonly EvaluationResult[] | undefined> {
    try {
      return await this.api.store.list({ tenantId, conversationKey, limit });
    } catch (error) {
      if (error instanceof RetryableError) return undefined;
      throw error;
    }
  }
}

function problemsIn(key: unknown, limit: unknown): InputProblem[] {
  const isKey = typeof key === 'string' && key.length >= 1 && key.length <= 512;
  const isLimit = typeof limit === 'string' && /^[1-9]\d{0,2}$/.test(limit) && Number(limit) <= 500;
  return [
    ...(isKey
      ? []
      : [{ path: 'query.conversation_key', message: 'must be one conversation key of 1 to 512 characters' }]),
    ...(isLimit ? [] : [{ path: 'query.limit', message: 'must be a whole number from 1 to 500' }]),
  ];
}

const refusals = {
  422: { title: 'Invalid request', code: 'request.invalid', detail: 'The query is not valid.' },
  503: { title: 'Unavailable', code: 'store.unavailable', detail: 'The evaluations cannot be read now. Try again.' },
} as const;

type Exchange = { readonly request: Request; readonly response: Response };

/** Answers with an RFC 9457 problem. */
function refuse({ request, response }: Exchange, status: keyof typeof refusals, errors: InputProblem[]): void {
  const { title, code, detail } = refusals[status];
  const { traceId } = traceContextOf([request.headers['traceparent'] ?? []].flat()[0]);
  const problem: Problem = { type: `urn:latch:problem:${code}`, title, status, detail, code, trace_id: traceId };
  response
    .status(status)
    .type('application/problem+json')
    .send(JSON.stringify(errors.length > 0 ? { ...problem, errors } : problem));
}
