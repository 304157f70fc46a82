import { availableParallelism } from 'node:os';
import { wholeNumberOption } from '../run-command.ts';

/** How many workers share some conversations, and how many of these one is given at once. */
export type WorkShare = { readonly workers: number; readonly inStretch: number };

/** With three connections each they leave half of the 100 that Postgres has, unless told otherwise, to a system that runs. */
const mostWorkers = 16;
const usualWorkers = 4;

/** Conversations for each worker: it takes half a second of CPU time and more to start, which few conversations would not be worth. */
const worthAWorker = 2_000;

/** A page of the store. */
const largestStretch = 200;

/** Stretches for each worker, at the least: the last one must not be waited for long. */
const stretchesEach = 4;

/** How many workers `--workers` asks for; undefined when it was not given. @throws Error that names the option. */
export function workersOption(text: string | undefined): number | undefined {
  const workers = wholeNumberOption('workers', text, 1);
  if (workers === undefined || workers <= mostWorkers) return workers;
  throw new Error(`--workers must be at most ${mostWorkers}, not "${text}"`);
}

/**
 * Shares conversations among workers: among as many as were asked for, else among one for each 2,000 conversations, no more than there are cores, and
 * four at most.
 *
 * @param cores @default those of this machine
 */
export function shareWork(
  conversations: number,
  wanted: number | undefined,
  cores: number = availableParallelism(),
): WorkShare {
  const usual = Math.min(cores, usualWorkers, Math.floor(conversations / worthAWorker));
  const workers = Math.max(1, Math.min(wanted ?? usual, conversations));
  const inStretch = Math.min(largestStretch, Math.ceil(conversations / (workers * stretchesEach)));
  return { workers, inStretch: Math.max(1, inStretch) };
}
