import { afterEach, describe, expect, it } from '@jest/globals';
import { readEnvironment } from '@latch/config';
import { RetryableError, success } from '@latch/contracts';
import { type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { evaluatorSettings } from './config.ts';
import { apiToken, type EvaluationsApi, EvaluationsController } from './evaluations.controller.ts';

@Module({})
class SpecModule {}

let app: INestApplication | undefined;

afterEach(async () => {
  await app?.close();
  app = undefined;
});

/** The API, for callers of a tenant, over a store that says who was asked about. */
async function apiOf(tenantId: string | null, list: EvaluationsApi['store']['list']): Promise<string> {
  const api = { store: { list }, authenticate: () => success({ tenantId }) };
  const module = {
    module: SpecModule,
    controllers: [EvaluationsController],
    providers: [{ provide: apiToken, useValue: api }],
  };
  app = await NestFactory.create(module, { logger: false });
  await app.listen(0, '127.0.0.1');
  return `${await app.getUrl()}/v1/evaluations?conversation_key=`;
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

describe('the settings of the evaluator', () => {
  it.each(['jwt', 'api-key', 'OFF'])('refuse to start with LATCH_AUTH=%s, and say why', (mode) => {
    const settings = { LATCH_BUS: 'memory', DATABASE_URL: 'postgres://latch@127.0.0.1/latch', LATCH_AUTH: mode };
    expect(readEnvironment(evaluatorSettings, settings)).toMatchObject({
      ok: false,
      error: expect.stringMatching(/LATCH_AUTH.*only off is supported/),
    });
  });
});
