import { type Topic } from '@latch/contracts';
import { AlarmBoard } from './alarm-board.ts';
import { type ConsoleSettings } from './config.ts';
import { DeadLetterShelf } from './dead-letter-shelf.ts';
import { SignalLog } from './signal-log.ts';

/** What the console has read from the bus, in memory and bounded. It is gone with the process and read again by the next. */
export type LiveView = {
  readonly signals: SignalLog;
  readonly alarms: AlarmBoard;
  readonly deadLetters: DeadLetterShelf;
  /** Messages of a topic that are there and not read yet, as far as this instance knows. */
  readonly waiting: Map<Topic, number>;
};

/** An empty view. */
export function openLiveView(
  settings: Pick<ConsoleSettings, 'LATCH_SIGNALS_KEPT' | 'LATCH_DEAD_LETTERS_KEPT'>,
): LiveView {
  return {
    signals: new SignalLog(settings.LATCH_SIGNALS_KEPT),
    alarms: new AlarmBoard(),
    deadLetters: new DeadLetterShelf(settings.LATCH_DEAD_LETTERS_KEPT),
    waiting: new Map(),
  };
}

/** Whether the view still reads what came before it began: what it shows may be out of date. */
export function isCatchingUp({ waiting }: LiveView, topic: Topic): boolean {
  return (waiting.get(topic) ?? 0) > 0;
}
