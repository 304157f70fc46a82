import path from 'node:path';
import { checkoutFolder } from '../checkout.ts';
import { tableLines } from '../terminal.ts';
import { type RunningState } from './running-file.ts';
import { type ServiceName } from './services.ts';

/** What runs where, for people: a table of the services, then which Kafka and Postgres were taken and why. */
export function describeSystem(state: RunningState): readonly string[] {
  const rows = state.services.map(({ name, url, process, logFile }) => [
    name,
    new URL(url).port,
    process === null ? '(restarting)' : String(process.pid),
    path.relative(checkoutFolder, logFile),
  ]);
  return [
    ...tableLines([['service', 'port', 'pid', 'log'], ...rows]),
    '',
    ...(state.bus === null ? [] : [`Kafka     ${state.bus.where}  (${state.bus.kind}: ${state.bus.why})`]),
    ...(state.database === null
      ? []
      : [`Postgres  ${state.database.where}  (${state.database.kind}: ${state.database.why})`]),
  ];
}

/** Where turns are sent to. */
export function ingressUrlOf(state: RunningState): string | undefined {
  return urlOf(state, 'ingress');
}

/** Where an operator looks. */
export function consoleUrlOf(state: RunningState): string | undefined {
  return urlOf(state, 'console');
}

function urlOf(state: RunningState, service: ServiceName): string | undefined {
  return state.services.find(({ name }) => name === service)?.url;
}
