import { type DynamicModule, Module } from '@nestjs/common';
import { type Operations, OperationsController, operationsToken } from './operations.controller.ts';

/** Holds the four operations endpoints; made by `operationsModule`. */
@Module({})
export class OperationsModule {}

/** The Nest module with `GET /health`, `/ready`, `/version` and `/metrics` of one service. */
export function operationsModule(operations: Operations): DynamicModule {
  return {
    module: OperationsModule,
    controllers: [OperationsController],
    providers: [{ provide: operationsToken, useValue: operations }],
  };
}
