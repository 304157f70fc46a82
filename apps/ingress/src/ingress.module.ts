import { type DynamicModule, Module } from '@nestjs/common';
import { type Operations, operationsModule } from '@latch/observability';
import { ConversationsController, type ReadApi, readApiToken, TransactionsController } from '@latch/read-api';
import { type Ingress, ingressToken } from './ingress.ts';
import { MessagesController } from './messages.controller.ts';
import { OpenApiController } from './openapi.controller.ts';
import { TurnsController } from './turns.controller.ts';

/** The HTTP API of ingress; made by `ingressModule`. */
@Module({})
export class IngressModule {}

/** What serves the HTTP API. */
export const ingressControllers = [
  MessagesController,
  TurnsController,
  ConversationsController,
  TransactionsController,
  OpenApiController,
] as const;

/** The Nest module over the parts that `startIngress` has made. */
export function ingressModule(ingress: Ingress, operations: Operations): DynamicModule {
  return {
    module: IngressModule,
    imports: [operationsModule(operations)],
    controllers: [...ingressControllers],
    providers: [
      { provide: ingressToken, useValue: ingress },
      { provide: readApiToken, useValue: readApiOf(ingress) },
    ],
  };
}

function readApiOf({ store, config }: Ingress): ReadApi {
  return { store, defaultTenantId: config.defaultTenantId };
}
