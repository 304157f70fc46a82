import { authSettings, readEnvironment } from '@latch/config';
import pc from 'picocolors';
import { type CliSettings } from '../config.ts';
import { consoleUrlOf, describeSystem, ingressUrlOf } from '../system/describe-system.ts';
import { type RunningState } from '../system/running-file.ts';
import { startSystem } from '../system/start-system.ts';
import { stopSignal, untilAborted } from '../system/stop-signal.ts';
import { startOptionsFrom } from '../system/system-options.ts';
import { print, progress } from '../terminal.ts';

/** `latch start`: everything up, in the foreground, until Ctrl-C. A second one says where the first one is. */
export async function start(settings: CliSettings): Promise<void> {
  const signal = stopSignal();
  const outcome = await startSystem(startOptionsFrom(settings, progress), signal);
  if (outcome.kind === 'already_running') return sayAlreadyRunning(outcome.state);
  sayReady(outcome.system.state());
  await untilAborted(signal);
  progress('stopping');
  await outcome.system.stop();
  progress('stopped, nothing is left running');
}

function sayReady(state: RunningState): void {
  describeSystem(state).forEach(print);
  print();
  print('Send a turn with POST /v1/messages, or run `npm run chat` in another terminal. Ctrl-C stops everything.');
  print(`The operator's page is on ${consoleUrlOf(state)}`);
  sayWhoMayCall();
  print(`${pc.green('ready')} ${ingressUrlOf(state)}`);
}

/** The services find the same environment. A wrong setting keeps them from starting, and is told then. */
function sayWhoMayCall(): void {
  const read = readEnvironment(authSettings);
  const methods = read.ok ? (read.value.LATCH_AUTH ?? []) : [];
  if (methods.length > 0) return print(`Callers are known by: ${methods.join(', ')} (LATCH_AUTH)`);
  print('Callers are not known (LATCH_AUTH is off): whoever reaches a port of this machine speaks for every tenant.');
}

function sayAlreadyRunning(state: RunningState): void {
  const { status, since, supervisor } = state;
  print(`Latch is already running here (${status}, since ${since}, supervisor pid ${supervisor.pid}).`);
  describeSystem(state).forEach(print);
  print(`Stop it with Ctrl-C where it runs, or with: kill ${supervisor.pid}`);
}
