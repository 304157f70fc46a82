import { type DynamicModule, Module } from '@nestjs/common';
import { type Operations, operationsModule } from '@latch/observability';
import { ConversationsController, readApiToken, TransactionsController } from '@latch/read-api';
import { AlarmsController } from './alarms.controller.ts';
import { ChatController } from './chat.controller.ts';
import { type Console, consoleToken } from './console.ts';
import { DeadLettersController } from './dead-letters.controller.ts';
import { OpenApiController } from './openapi.controller.ts';
import { OverviewController } from './overview.controller.ts';
import { PageController } from './page.controller.ts';
import { ReplayController } from './replay.controller.ts';
import { SignalsController } from './signals.controller.ts';

/** The page of the console and its read API; made by `consoleModule`. */
@Module({})
export class ConsoleModule {}

/** What serves the HTTP API. */
export const consoleControllers = [
  PageController,
  OverviewController,
  TransactionsController,
  ConversationsController,
  ChatController,
  ReplayController,
  SignalsController,
  AlarmsController,
  DeadLettersController,
  OpenApiController,
] as const;

/** The Nest module over the parts that `startConsole` has made. */
export function consoleModule(console: Console, operations: Operations): DynamicModule {
  return {
    module: ConsoleModule,
    imports: [operationsModule(operations)],
    controllers: [...consoleControllers],
    providers: [
      { provide: consoleToken, useValue: console },
      { provide: readApiToken, useValue: console.reads },
    ],
  };
}
