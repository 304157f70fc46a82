import path from 'node:path';
import { checkPlatformConfig, formatProblems } from '@latch/config';
import { inCheckout } from '../checkout.ts';
import { type CliSettings } from '../config.ts';
import { print } from '../terminal.ts';

/** `latch config check [folder]`: every problem of a configuration folder with file, line and column. Fails when one of them is an error. */
export async function checkConfig(settings: CliSettings, folder: string | undefined): Promise<void> {
  const shown = folder ?? settings.LATCH_CONFIG_DIR;
  const { config, problems } = await checkPlatformConfig(
    folder === undefined ? inCheckout(shown) : path.resolve(shown),
  );
  print(formatProblems(problems, shown));
  if (config === null) process.exitCode = 1;
  else print(`${Object.keys(config.agents).length} agents, digest ${config.digest.slice(0, 12)}`);
}
