import pc from 'picocolors';
import { type CliSettings } from '../config.ts';
import { describeSystem, ingressUrlOf } from '../system/describe-system.ts';
import { type RunningState } from '../system/running-file.ts';
import { startSystem } from '../system/start-system.ts';
import { systemOptionsFrom } from '../system/system-options.ts';
import { untilToldToStop } from '../system/until-told-to-stop.ts';
import { print, progress } from '../terminal.ts';

/** `latch start`: everything up, in the foreground, until Ctrl-C. A second one says where the first one is. */
export async function start(settings: CliSettings): Promise<void> {
  const told = untilToldToStop();
  const starting = startSystem(systemOptionsFrom(settings, progress));
  const first = await Promise.race([starting, told]);
  if (typeof first === 'string') return stopDuringStart(starting);
  if (first.kind === 'already_running') return sayAlreadyRunning(first.state);
  describeSystem(first.system.state()).forEach(print);
  print();
  print(
    `${pc.green('ready')}: POST ${ingressUrlOf(first.system.state())}/v1/messages, or \`npm run chat\` in another terminal. Ctrl-C stops all.`,
  );
  await told;
  progress('stopping');
  await first.system.stop();
  progress('stopped, nothing is left running');
}

async function stopDuringStart(starting: ReturnType<typeof startSystem>): Promise<void> {
  progress('stopping as soon as the start allows');
  const outcome = await starting.catch(() => undefined);
  if (outcome?.kind === 'started') await outcome.system.stop();
}

function sayAlreadyRunning(state: RunningState): void {
  print(
    `Latch is already running here (${state.status}, since ${state.since}, supervisor pid ${state.supervisor.pid}).`,
  );
  describeSystem(state).forEach(print);
  print(`Stop it with Ctrl-C where it runs, or with \`kill ${state.supervisor.pid}\`.`);
}
