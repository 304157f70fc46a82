import { describe, expect, it } from '@jest/globals';
import { OperationsController } from '@latch/observability';
import { operationsOf, routesOf } from '@latch/testing';
import { Validator } from '@seriousme/openapi-schema-validator';
import { EvaluationsController } from './evaluations.controller.ts';
import { OpenApiController } from './openapi.controller.ts';
import { openApiDocument } from './openapi.ts';

describe('the OpenAPI document of the evaluator', () => {
  it('is valid OpenAPI 3.1', async () => {
    expect(await new Validator().validate(openApiDocument())).toEqual({ valid: true });
  });

  it('describes every route that is served, and no other', () => {
    const controllers = [EvaluationsController, OpenApiController, OperationsController];
    expect(operationsOf(openApiDocument())).toEqual(routesOf(controllers));
  });
});
