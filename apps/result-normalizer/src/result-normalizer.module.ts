import { type DynamicModule, Module } from '@nestjs/common';
import { type Operations, operationsModule } from '@latch/observability';
import { type Normalizer, normalizerToken, ToolExecutionsConsumer } from './tool-executions.consumer.ts';

/** The normalizer's consumer and operations endpoints; made by `resultNormalizerModule`. */
@Module({})
export class ResultNormalizerModule {}

/** The Nest module over the parts that `startResultNormalizer` has made. */
export function resultNormalizerModule(normalizer: Normalizer, operations: Operations): DynamicModule {
  return {
    module: ResultNormalizerModule,
    imports: [operationsModule(operations)],
    controllers: [ToolExecutionsConsumer],
    providers: [{ provide: normalizerToken, useValue: normalizer }],
  };
}
