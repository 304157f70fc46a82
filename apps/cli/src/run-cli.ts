import { wantsJson } from '../../../deploy/local/stops.mjs';
import { readEnvironmentOrThrow } from '@latch/config';
import { cliSettings } from './config.ts';
import { buildProgram } from './program.ts';

/**
 * Runs the command that the words name.
 *
 * @throws Error in a sentence: a setting that is wrong, or what kept the command from running.
 */
export async function runCli(words: readonly string[]): Promise<void> {
  await buildProgram(readEnvironmentOrThrow(cliSettings), wantsJson(words)).parseAsync(words, { from: 'user' });
}
