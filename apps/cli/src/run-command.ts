import { isReported } from '../../../deploy/local/stops.mjs';
import { print } from './terminal.ts';

/** How a command ends, for a script: all is as it should be, something differs, or it could not run and nobody knows. */
export const exitCodes = { equal: 0, differs: 1, couldNotRun: 2 } as const;

/**
 * Runs a command that says something of what is there (replay, verify, evidence, projections, dead letters), and sets the exit code by what it found. Whatever keeps
 * it from running (no database, no such conversation, a folder that is no configuration) is told in a sentence and is never taken for a difference.
 *
 * @param work whether everything was as it should be.
 */
export async function runCommand(options: { readonly json?: boolean }, work: () => Promise<boolean>): Promise<void> {
  try {
    process.exitCode = (await work()) ? exitCodes.equal : exitCodes.differs;
  } catch (error) {
    sayCouldNotRun(reasonOf(error), options);
  }
}

/** Says why a command could not run: one JSON object where JSON is asked for and no report is out, else a sentence beside the results. Sets the exit code. */
export function sayCouldNotRun(reason: string, { json }: { readonly json?: boolean }): void {
  if (json && !isReported()) print(JSON.stringify({ outcome: 'could_not_run', reason }));
  else process.stderr.write(`could not run: ${reason}\n`);
  process.exitCode = exitCodes.couldNotRun;
}

/** The sentence of an error, with what caused it where that says more. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? `${error.message}: ${cause.message}` : error.message;
}

/** A whole number that an option gives, in digits. @throws Error that names the option. */
export function wholeNumberOption(name: string, text: string | undefined, least = 0): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new Error(`--${name} must be a whole number of at least ${least}, not "${text}"`);
}

/** An instant that an option gives, as UTC ISO-8601. @throws Error that names the option. */
export function instantOption(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const at = Date.parse(text);
  if (!Number.isNaN(at)) return new Date(at).toISOString();
  throw new Error(`--${name} must be an instant such as 2026-11-30T12:00:00Z, not "${text}"`);
}
