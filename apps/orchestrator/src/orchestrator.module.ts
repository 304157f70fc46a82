import { type DynamicModule, Module } from '@nestjs/common';
import { type Operations, operationsModule } from '@latch/observability';
import { batchHandlerToken, ConversationsConsumer } from './conversations.consumer.ts';
import { type Work } from './work.ts';

/** The orchestrator's consumer and operations endpoints; made by `orchestratorModule`. */
@Module({})
export class OrchestratorModule {}

/** The Nest module over the parts that `startOrchestrator` has made. */
export function orchestratorModule(
  parts: { readonly handle: (work: readonly Work[]) => Promise<void> },
  operations: Operations,
): DynamicModule {
  return {
    module: OrchestratorModule,
    imports: [operationsModule(operations)],
    controllers: [ConversationsConsumer],
    providers: [{ provide: batchHandlerToken, useValue: parts.handle }],
  };
}
