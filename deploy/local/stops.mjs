// Answers a Ctrl-C for a command with `--json` that does not listen yet, or never does: whoever reads its output gets one JSON object that says so. The door of the
// commands and their own entry both ask for it, since a signal comes when it comes: in the first second too, while packages are installed, built or loaded.
import { writeSync } from 'node:fs';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Commands that end with 1 when they are stopped, since it is what they tell of (what was sent stays sent); every other one could not run. */
const tellHowFar = ['replay reemit', 'dead-letters redrive'];

let listener;

/** Whether the words of a command ask for JSON. */
export function wantsJson(args) {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).includes('--json');
}

/** From now on a signal is answered, once, and ends the process; without `--json` it does what signals do. Asked again it changes nothing. */
export function answerStops(args) {
  if (listener !== undefined || !wantsJson(args)) return;
  const isTold = tellHowFar.includes(args.slice(0, 2).join(' '));
  listener = (signal) => {
    const outcome = isTold ? 'stopped' : 'could_not_run';
    writeSync(1, `${JSON.stringify({ outcome, reason: `Stopped by ${signal}.` })}\n`);
    process.exit(isTold ? 1 : 2);
  };
  for (const signal of signals) process.on(signal, listener);
}

/** For who listens himself, and for whose report is out: two would be one too many. */
export function endAnswers() {
  if (listener === undefined) return;
  for (const signal of signals) process.off(signal, listener);
  listener = () => undefined;
}
