import { type DynamicModule, Module } from '@nestjs/common';
import { type Received } from '@latch/messaging';
import { type Operations, operationsModule } from '@latch/observability';
import { intakeToken, ToolInvocationsConsumer } from './tool-invocations.consumer.ts';

/** The executor's consumer and operations endpoints; made by `toolExecutorModule`. */
@Module({})
export class ToolExecutorModule {}

/** The Nest module over the parts that `startToolExecutor` has made. */
export function toolExecutorModule(
  receive: (batch: readonly Received[]) => Promise<void>,
  operations: Operations,
): DynamicModule {
  return {
    module: ToolExecutorModule,
    imports: [operationsModule(operations)],
    controllers: [ToolInvocationsConsumer],
    providers: [{ provide: intakeToken, useValue: receive }],
  };
}
