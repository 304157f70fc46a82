import { afterEach, describe, expect, it } from '@jest/globals';
import { scopes } from '@latch/config';
import { RetryableError, success } from '@latch/contracts';
import { openHttpServer } from '@latch/http';
import { createLogger, createMetrics, HealthState } from '@latch/observability';
import { Module } from '@nestjs/common';
import { apiToken, type EvaluationsApi, EvaluationsController } from './evaluations.controller.ts';

@Module({})
class SpecModule {}

let app: Awaited<ReturnType<typeof openHttpServer>> | undefined;

afterEach(async () => {
  await app?.close();
  app = undefined;
});

/** The API, for callers of a tenant, over a store that says who was asked about. */
async function apiOf(tenantId: string | null, list: EvaluationsApi['store']['list']): Promise<string> {
  const api: EvaluationsApi = { store: { list } };
  const metrics = createMetrics({ service: 'spec', version: '1' });
  app = await openHttpServer({
    settings: { LATCH_HTTP_HOST: '127.0.0.1', LATCH_HTTP_PORT: 0 },
    operations: { service: 'spec', version: '1', metrics, health: new HealthState() },
    logger: createLogger({ service: 'spec', level: 'silent' }),
    module: () => ({
      module: SpecModule,
      controllers: [EvaluationsController],
      providers: [{ provide: apiToken, useValue: api }],
    }),
    access: {
      ...{ metrics, scopesFor: () => ['evaluate'] },
      authenticate: () => Promise.resolve(success({ tenantId, userId: null, scopes, lapsed: () => null })),
    },
  });
  return `${app.url}/v1/evaluations?conversation_key=`;
}

describe('the evaluations of a conversation', () => {
  it.each([
    ["of the caller's tenant are read", 'acme', ['acme']],
    ['of another tenant are not even looked for, and look as if there were none', 'rival', []],
    ['are read for everyone where there are no credentials', null, ['acme']],
  ])('%s', async (_, tenantId, expected) => {
    const asked: string[] = [];
    const url = await apiOf(tenantId, (of) => {
      asked.push(of.tenantId);
      return Promise.resolve([]);
    });
    const answer = await fetch(`${url}acme:agent:s-1`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual([]);
    expect(asked).toEqual(expected);
  });

  it('that cannot be read are a problem with the trace of the caller', async () => {
    const url = await apiOf(null, () => Promise.reject(new RetryableError('away')));
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const answer = await fetch(`${url}acme:agent:s-1`, { headers: { traceparent } });
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({
      code: 'store.unavailable',
      trace_id: '0af7651916cd43dd8448eb211c80319c',
    });
  });
});
