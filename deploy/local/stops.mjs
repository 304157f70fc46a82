// Answers a Ctrl-C for a command that does not listen yet, or never does: a person gets a sentence, and whoever asked for JSON one JSON object that says so. The door of
// the commands and their own entry both ask for it, since a signal comes when it comes: in the first second too, while packages are installed, built or loaded.
import { writeSync } from 'node:fs';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Commands that end with 1 when they are stopped, since it is what they tell of (what was sent stays sent); every other one could not run. */
const tellHowFar = ['replay reemit', 'dead-letters redrive'];

let answer;
let isListening = false;
let isOut = false;

/** Whether the words of a command ask for JSON. */
export function wantsJson(args) {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).includes('--json');
}

/** From now on a signal is answered, once, and ends the process. Asked again it changes nothing. */
export function answerStops(args) {
  if (answer !== undefined) return;
  const isTold = tellHowFar.includes(args.slice(0, 2).join(' '));
  const [outcome, word, code] = isTold ? ['stopped', 'stopped', 1] : ['could_not_run', 'could not run', 2];
  answer = (signal) => {
    const reason = `Stopped by ${signal}.`;
    if (!wantsJson(args)) writeSync(2, `${word}: ${reason}\n`);
    else if (!isOut) writeSync(1, `${JSON.stringify({ outcome, reason })}\n`);
    process.exit(code);
  };
  for (const signal of signals) process.on(signal, answer);
  isListening = true;
}

/** For who listens himself: two would be one too many. */
export function endAnswers() {
  if (!isListening) return;
  for (const signal of signals) process.off(signal, answer);
  isListening = false;
}

/** For who listened himself and stops too slowly for somebody: answers and ends the process at once. */
export function answerStop(signal) {
  answer?.(signal);
  process.exit(2);
}

/** Says that a result is out: of `--json` it is the one object, and no other may come after it. */
export function reported() {
  isOut = true;
}

/** Whether one is out. */
export function isReported() {
  return isOut;
}

/** Says why a command could not run, once: as the one JSON object where that is asked for and none is out, else as a sentence; and ends the process with 2. */
export function endCouldNotRun(args, reason) {
  if (wantsJson(args) && !isOut) writeSync(1, `${JSON.stringify({ outcome: 'could_not_run', reason })}\n`);
  else writeSync(2, `could not run: ${reason}\n`);
  // 1 is what some commands say of what they found; a command that ends so could not run.
  process.exit(2);
}
