import { progress } from '../terminal.ts';
import { describeSystem } from './describe-system.ts';
import { type RunningState } from './running-file.ts';
import { startSystem } from './start-system.ts';
import { stopSignal, untilAborted } from './stop-signal.ts';
import { type SystemOptions } from './system-options.ts';

/**
 * Does some work against the local system: the one that runs already, or one that is started for it and stopped after it, also when the work fails or
 * somebody presses Ctrl-C.
 */
export async function withSystem<T>(options: SystemOptions, work: (state: RunningState) => Promise<T>): Promise<T> {
  const signal = stopSignal();
  const interruption = untilAborted(signal).then(() => Promise.reject<never>(signal.reason));
  interruption.catch(() => undefined); // while the system starts, nobody awaits it yet
  const outcome = await startSystem(options, signal);
  if (outcome.kind === 'already_running') {
    progress('using the system that runs here already');
    return Promise.race([work(outcome.state), interruption]);
  }
  describeSystem(outcome.system.state()).forEach(progress);
  try {
    return await Promise.race([work(outcome.system.state()), interruption]);
  } finally {
    progress('stopping what was started');
    await outcome.system.stop();
  }
}
