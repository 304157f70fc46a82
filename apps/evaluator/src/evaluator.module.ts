import { type DynamicModule, Module } from '@nestjs/common';
import { type Operations, operationsModule } from '@latch/observability';
import { AnswersConsumer, judgingToken } from './answers.consumer.ts';
import { apiToken, type EvaluationsApi, EvaluationsController } from './evaluations.controller.ts';
import { type Judging } from './judge-turns.ts';
import { OpenApiController } from './openapi.controller.ts';

/** The evaluator's consumer, API and operations endpoints; made by `evaluatorModule`. */
@Module({})
export class EvaluatorModule {}

/** The Nest module over the parts that `startEvaluator` has made. */
export function evaluatorModule(judging: Judging, api: EvaluationsApi, operations: Operations): DynamicModule {
  return {
    module: EvaluatorModule,
    imports: [operationsModule(operations)],
    controllers: [AnswersConsumer, EvaluationsController, OpenApiController],
    providers: [
      { provide: judgingToken, useValue: judging },
      { provide: apiToken, useValue: api },
    ],
  };
}
