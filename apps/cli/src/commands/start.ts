import pc from 'picocolors';
import { type CliSettings } from '../config.ts';
import { consoleUrlOf, describeSystem, ingressUrlOf } from '../system/describe-system.ts';
import { type RunningState } from '../system/running-file.ts';
import { startSystem } from '../system/start-system.ts';
import { stopSignal, untilAborted } from '../system/stop-signal.ts';
import { systemOptionsFrom } from '../system/system-options.ts';
import { print, progress } from '../terminal.ts';

/** `latch start`: everything up, in the foreground, until Ctrl-C. A second one says where the first one is. */
export async function start(settings: CliSettings): Promise<void> {
  const signal = stopSignal();
  const outcome = await startSystem(systemOptionsFrom(settings, progress), signal);
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
  print(`${pc.green('ready')} ${ingressUrlOf(state)}`);
}

function sayAlreadyRunning(state: RunningState): void {
  const { status, since, supervisor } = state;
  print(`Latch is already running here (${status}, since ${since}, supervisor pid ${supervisor.pid}).`);
  describeSystem(state).forEach(print);
  print(`Stop it with Ctrl-C where it runs, or with: kill ${supervisor.pid}`);
}
