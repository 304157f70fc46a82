import { Controller, Get, Inject, Query, Res } from '@nestjs/common';
import { type EvaluationResult, type InputProblem, type Problem, RetryableError } from '@latch/contracts';
import type { Response } from 'express';
import { judgingToken } from './answers.consumer.ts';
import { type Judging } from './judge-turns.ts';

/** What the judges said of a conversation's turns. */
@Controller('v1/evaluations')
export class EvaluationsController {
  constructor(@Inject(judgingToken) private readonly judging: Pick<Judging, 'store'>) {}

  /** `GET /v1/evaluations?conversation_key=&limit=`: newest first. The key begins with its tenant; another tenant's evaluations are not found by it. */
  @Get()
  async list(@Query() query: Record<string, unknown>, @Res() response: Response): Promise<void> {
    const { conversation_key: key, limit = '50' } = query;
    const errors = problemsIn(key, limit);
    if (typeof key !== 'string' || errors.length > 0) return refuse(response, 422, errors);
    const found = await this.find(key, Number(limit));
    if (found === undefined) return refuse(response, 503, []);
    response.json(found);
  }

  private async find(key: string, limit: number): Promise<readonly EvaluationResult[] | undefined> {
    const tenantId = key.slice(0, Math.max(0, key.indexOf(':')));
    try {
      return await this.judging.store.list({ tenantId, conversationKey: key, limit });
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

/** Answers with an RFC 9457 problem. */
function refuse(response: Response, status: keyof typeof refusals, errors: InputProblem[]): void {
  const { title, code, detail } = refusals[status];
  const problem: Problem = { type: `urn:latch:problem:${code}`, title, status, detail, code };
  response
    .status(status)
    .type('application/problem+json')
    .send(JSON.stringify(errors.length > 0 ? { ...problem, errors } : problem));
}
